import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '@sluice/testing';
import { checkoutIn } from './checkout.ts';
import { runBash } from './bash.ts';

/** A call of kubectl or npm, as the shell makes it of a block: loops run, variables replaced. */
export interface Call {
  program: string;
  args: string[];
  /** what it was given to read, where it reads */
  input: string;
}

export interface Rehearsal {
  /** the checkout that blocks run in */
  checkout: string;
  /** the home of who runs them */
  home: string;
  /** Runs a script; all of it but kubectl, and programs that need a cluster, is real. @throws Error when one of its commands fails */
  rehearse(script: string): Promise<Call[]>;
}

/** notes its arguments in a file of its own, since a block may run several at once, reads what it is given, and prints nothing */
const kubectl = `#!/usr/bin/env bash
for argument; do case $argument in -) input=$(cat) ;; -i) cat > /dev/null ;; esac; done
printf '%s\\0' kubectl "\${input:-}" "$@" > "$CALLS/$$"
`;

/** runs the program of a script without the time that npm takes, and Kubernetes' Secrets once for the same arguments */
const npm = (programs: Readonly<Record<string, string>>) => `#!/usr/bin/env bash
printf '%s\\0' npm '' "$@" > "$CALLS/$$"
shift; [ "$1" = --silent ] && shift; script=$1; shift; [ "\${1:-}" = -- ] && shift
declare -A programs=(${Object.entries(programs)
  .map(([name, program]) => `['${name}']='${program}'`)
  .join(' ')})
case $script in
  rolling-restart) ;;
  kubernetes-secrets) made=$HOME/printed-$(cksum <<< "$*" | cut -d' ' -f1)
    [ -e "$made" ] || node "${repository}/\${programs[$script]}" "$@" > "$made"; cat "$made" ;;
  *) node "${repository}/\${programs[$script]}" "$@" ;;
esac
`;

/** What is needed to rehearse blocks, below `folder`. */
export async function openRehearsal(folder: string): Promise<Rehearsal> {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const programs = Object.fromEntries(
    Object.entries(scripts).flatMap(([name, command]) => {
      const [, program] = /bootstrap\.mjs node (\S+)$/.exec(command) ?? [];
      return program === undefined ? [] : [[name, program]];
    }),
  );
  const [bin, calls, home] = [join(folder, 'bin'), join(folder, 'calls'), join(folder, 'home')];
  await mkdir(bin);
  await mkdir(home);
  for (const [name, text] of Object.entries({ kubectl, npm: npm(programs) })) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  const checkout = await checkoutIn(folder);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home, CALLS: calls };
  return {
    checkout,
    home,
    async rehearse(script) {
      await rm(calls, { recursive: true, force: true });
      await mkdir(calls);
      // kubectl prints nothing: what looks for something in that does not find it
      const strict = `set -euo pipefail; sleep() { :; }; grep() { command grep "$@" || true; }\n`;
      const { code, output } = await runBash(strict + script, { cwd: checkout, env, timeoutMs: 30_000 });
      if (code !== 0) throw new Error(`exit code ${code}\n${output}`);
      return await Promise.all(
        (await readdir(calls)).map(async (name) => {
          const call = await readFile(join(calls, name), 'utf8');
          const [program = '', input = '', ...args] = call.split('\0').slice(0, -1);
          return { program, input, args };
        }),
      );
    },
  };
}
