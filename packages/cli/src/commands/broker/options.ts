import type { Command } from 'commander';

/** For commands that speak with the broker of a deployment. */
export const onBroker = (command: Command): Command =>
  command.option('--plain-text', 'go on where the broker has no TLS, and the login can be read on its way');
