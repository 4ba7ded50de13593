//! The product from the outside: one binary, so that it links once.

mod accounts;
mod audit_command;
mod auth;
mod browser;
mod cli;
mod command_jobs;
mod config;
mod embedding;
mod headers;
mod health;
mod http_jobs;
mod program;
mod tidy;
mod workbench;
