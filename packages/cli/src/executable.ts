import { run } from './run.ts';

// the single executable is a script, in which nothing is awaited at the top
void run(process.argv.slice(2));
