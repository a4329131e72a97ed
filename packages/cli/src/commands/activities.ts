import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addVerbs } from './verbs.ts';

export default function activities(command: Command, cli: Cli): void {
  addVerbs(command, cli, {
    one: 'activity',
    place: 'deployment',
    load: async () => (await import('./work/activities.ts')).activities,
    list: 'List the starts, stops and reconfigurations of nodes, newest first',
    show: 'Show an activity',
  });
}
