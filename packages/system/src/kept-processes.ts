import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { isErrorCode } from './errors.ts';
import type { Log } from './log.ts';
import { endProcess, withArgument } from './processes.ts';
import { socketPath } from './control/socket-path.ts';
import { says, startProgram, type Program } from './control/start.ts';

interface ProcessesOptions<Link> {
  /** as the program is called in the log and in errors */
  name: string;
  /** holds the sockets of its processes, and is among their arguments; the one above it has to be there */
  folder: string;
  /** what the newest process writes to its standard error; what the one before has written is in `<file>.1` */
  errorsFile: string;
  /** Speaks to the process behind a socket; null when there is none. @throws Error when it does not answer */
  open: (socket: string) => Promise<Link | null>;
  log: Log;
}

export interface KeptProcesses<Link> {
  /** Finds those that run, but those with these pids. */
  find(known: ReadonlySet<number>): Promise<Link[]>;
  start(program: Program): Promise<Link>;
  /** Ends one by force: it does not obey. */
  kill(pid: number): Promise<void>;
  /** Ends one in an orderly way, and by force where that takes too long. */
  end(pid: number): Promise<void>;
}

/** The processes of a program that an agent keeps, each known by the socket that it has in a folder of the node. */
export function keptProcesses<Link>(options: ProcessesOptions<Link>): KeptProcesses<Link> {
  const { name, folder, log } = options;
  const endBy = async (pid: number, ...signals: NodeJS.Signals[]) => {
    await endProcess(pid, withArgument(folder), signals);
    await rm(socketPath(folder, pid), { force: true });
  };
  const kill = (pid: number) => endBy(pid, 'SIGKILL');

  async function link(pid: number): Promise<Link | null> {
    try {
      const found = await options.open(socketPath(folder, pid));
      if (found === null) await rm(socketPath(folder, pid), { force: true });
      return found;
    } catch (error) {
      log.error(`a ${name} does not answer, ending it`, { pid, error });
      await kill(pid);
      return null;
    }
  }

  async function makeFolder(): Promise<void> {
    // not the folder above it, which may be gone with its node
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!isErrorCode(error, 'EEXIST')) throw error;
    });
  }

  return {
    kill,
    end: (pid) => endBy(pid, 'SIGTERM', 'SIGKILL'),
    find: async (known) => {
      await makeFolder();
      const names = await readdir(folder);
      const pids = names.flatMap((file) => (/^\d+\.sock$/.test(file) ? [Number.parseInt(file, 10)] : []));
      const links = await Promise.all(pids.filter((pid) => !known.has(pid)).map(link));
      return links.filter((found) => found !== null);
    },
    start: async (program) => {
      await makeFolder();
      // what the one before has written last says why it has ended
      await rename(options.errorsFile, `${options.errorsFile}.1`).catch((error: unknown) => {
        if (!isErrorCode(error, 'ENOENT')) throw error;
      });
      // who cuts it needs it to be appended to
      const errors = await open(options.errorsFile, 'a', 0o600);
      const child = startProgram(program, folder, errors.fd);
      await errors.close();
      try {
        await says(child, 'ready', name);
        const started = child.pid === undefined ? null : await link(child.pid);
        if (started === null) throw new Error(`the ${name} was gone at once`);
        // as long as it waits for nothing else, it waits for this process
        child.disconnect();
        return started;
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    },
  };
}
