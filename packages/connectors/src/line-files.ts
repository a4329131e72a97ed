import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorCode, reasonOf, syncFolder } from '@sluice/system';
import { gzipFile } from './gzip-file.ts';
import { lineFileName, readLineFolder, type LineFile } from './line-files-folder.ts';
import type { PluginContext } from './plugin.ts';

export interface LineFilesOptions {
  prefix: string;
  extension: string;
  fileBytes: number;
  /** of all files; at least twice that */
  totalBytes: number;
  fileMs: number;
  /** milliseconds after which a finished file is removed; 0 for never */
  keepMs: number;
  /** what becomes of lines for which there is no room: the oldest files are removed, or they wait */
  whenFull: 'delete_oldest' | 'wait';
  compress: boolean;
  log: PluginContext['log'];
}

/** files in a folder: it is listed as a whole */
const mostFiles = 10_000;
/** how often old files are looked for, in milliseconds */
const pruneEvery = 60_000;
/** what is left free of the volume, which is the broker's: this share, but no more than so many bytes */
const leftFree = { share: 0.05, bytes: 2 ** 30 };
/** what a compressed file may have beyond the file itself */
const gzipOverhead = 64 * 1_024;

interface Growing extends LineFile {
  handle: FileHandle;
  timer: NodeJS.Timeout;
}

/** When the last one to work in a folder has ended: one that was given up may still be at something. */
const ends = new Map<string, Promise<void>>();

/**
 * A folder of files with lines. One file grows, and its name ends in `.open`; when it is large or old enough it is finished, and may be
 * compressed. Lines count as written when they are on the disk. A crash leaves no line without its end: that is cut off before the file grows on.
 */
export class LineFiles {
  readonly #folder: string;
  readonly #options: LineFilesOptions;
  readonly #ending = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #pruning: NodeJS.Timeout;
  #last: Promise<unknown>;
  /** whether the fields below say what is in the folder */
  #isKnown = false;
  #finished: LineFile[] = [];
  #growing: Growing | null = null;
  #otherBytes = 0;
  #number = 0;
  #compression: { done: Promise<void>; bytes: number } | null = null;

  /** Works in the folder once no former one does so in this process. */
  constructor(folder: string, options: LineFilesOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#last = ends.get(folder) ?? Promise.resolve();
    ends.set(folder, this.#ended.promise);
    this.#pruning = setInterval(() => this.#beside(() => this.#prune()), pruneEvery).unref();
    this.#beside(() => this.#prepare());
  }

  /**
   * Appends lines, which have their ends, in order.
   * @param kept called with the number of lines that are on the disk, whenever there are more
   * @throws Error when there is no room, or what the system says
   */
  async append(lines: readonly Buffer[], signal: AbortSignal, kept: (count: number) => void): Promise<void> {
    await this.#inTurn(async () => {
      await this.#prepare();
      for (let done = 0; done < lines.length;) {
        signal.throwIfAborted();
        const some = this.#fitting(lines.slice(done));
        if (some.length === 0) {
          await this.#finish();
          continue;
        }
        await this.#write(Buffer.concat(some));
        kept((done += some.length));
      }
    });
  }

  /** Resolves when nothing is under way any more. The growing file stays as it is. */
  async close(): Promise<void> {
    if (this.#ending.signal.aborted) return await this.#ended.promise;
    clearInterval(this.#pruning);
    const closed = this.#inTurn(async () => {
      await this.#compression?.done;
      await this.#closeGrowing();
    });
    this.#ending.abort(new Error('The files are closed'));
    await closed.finally(() => {
      if (ends.get(this.#folder) === this.#ended.promise) ends.delete(this.#folder);
      this.#ended.resolve();
    });
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    this.#ending.signal.throwIfAborted();
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
  }

  /** What no message waits for. */
  #beside(work: () => Promise<void>): void {
    if (this.#ending.signal.aborted) return;
    this.#inTurn(work).catch((error: unknown) => {
      this.#options.log('warn', 'files could not be looked after', { reason: reasonOf(error) });
    });
  }

  /** Finds out what is in the folder, unless that is known, and goes on with the file that has grown. */
  async #prepare(): Promise<void> {
    if (this.#isKnown) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (!(await lstat(this.#folder)).isDirectory()) throw new Error('The folder for files is no folder');
    const { growing, leftovers } = await this.#look();
    if (!this.#compression) for (const name of leftovers) await rm(join(this.#folder, name), { force: true });
    const last = growing.at(-1);
    for (const file of growing) {
      this.#growing = await this.#resumed(file);
      if (file !== last || !this.#mayGrow(this.#growing)) await this.#finish();
    }
    this.#isKnown = true;
    await this.#prune();
    this.#compressNext();
  }

  /** Takes in which files are finished: people may have taken some away. */
  async #look() {
    const found = await readLineFolder(this.#folder);
    this.#finished = found.finished;
    this.#otherBytes = found.otherBytes;
    const numbers = [...found.finished, ...found.growing].map(({ number }) => number);
    this.#number = Math.max(this.#number, ...numbers);
    return found;
  }

  async #resumed(file: LineFile): Promise<Growing> {
    const handle = await open(join(this.#folder, file.name), constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      const size = await endOfLines(handle, file.size);
      if (size < file.size) {
        const bytes = file.size - size;
        this.#options.log('warn', 'a line without its end is cut off', { file: file.name, bytes });
        await handle.truncate(size);
      }
      await handle.datasync();
      return this.#timed(handle, { ...file, size });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #mayGrow({ name, number, startedAt, size }: LineFile): boolean {
    const { prefix, extension, fileBytes } = this.#options;
    const isOfOptions = name === `${lineFileName(prefix, number, startedAt, extension)}.open`;
    return isOfOptions && size > 0 && size < fileBytes;
  }

  #timed(handle: FileHandle, file: LineFile): Growing {
    const left = file.startedAt + this.#options.fileMs - Date.now();
    const timer = setTimeout(
      () =>
        this.#beside(async () => {
          if (this.#growing?.timer === timer) await this.#finish();
        }),
      Math.max(0, left),
    ).unref();
    return { ...file, handle, timer };
  }

  /** As many of the first lines as the growing file has room for; a new one has room for one line in any case. */
  #fitting(lines: readonly Buffer[]): Buffer[] {
    let size = this.#growing?.size ?? 0;
    const least = size === 0 ? 1 : 0;
    const first = lines.findIndex((line) => (size += line.length) > this.#options.fileBytes);
    return lines.slice(0, first === -1 ? lines.length : Math.max(first, least));
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#makeRoom(bytes.length);
    const growing = (this.#growing ??= await this.#begin());
    try {
      for (let written = 0; written < bytes.length;) {
        const [left, at] = [bytes.length - written, growing.size + written];
        const { bytesWritten } = await growing.handle.write(bytes, written, left, at);
        written += bytesWritten;
      }
      await growing.handle.datasync();
    } catch (error) {
      // what is written in part comes again
      await growing.handle.truncate(growing.size).catch(() => undefined);
      await this.#closeGrowing();
      throw error;
    }
    growing.size += bytes.length;
    if (growing.size >= this.#options.fileBytes) await this.#finish();
  }

  async #begin(): Promise<Growing> {
    const [number, startedAt] = [this.#number + 1, Date.now()];
    const { prefix, extension } = this.#options;
    const name = `${lineFileName(prefix, number, startedAt, extension)}.open`;
    const handle = await open(join(this.#folder, name), 'wx+', 0o600);
    this.#number = number;
    const growing = this.#timed(handle, { name, number, size: 0, startedAt, endedAt: startedAt });
    try {
      await syncFolder(this.#folder);
      return growing;
    } catch (error) {
      clearTimeout(growing.timer);
      await handle.close();
      throw error;
    }
  }

  /** The growing file gets the name that it keeps, or goes if it is empty. */
  async #finish(): Promise<void> {
    const growing = this.#growing;
    if (!growing) return;
    await this.#closeGrowing();
    const [name, path] = [growing.name.replace(/\.open$/, ''), join(this.#folder, growing.name)];
    if (growing.size === 0) await rm(path, { force: true });
    else await rename(path, join(this.#folder, name));
    await syncFolder(this.#folder);
    const { number, size, startedAt } = growing;
    if (size > 0) this.#finished.push({ name, number, size, startedAt, endedAt: Date.now() });
    this.#isKnown = true;
    await this.#prune();
    this.#compressNext();
  }

  /** Closes the growing file; what is in the folder is not known then. */
  async #closeGrowing(): Promise<void> {
    const growing = this.#growing;
    this.#growing = null;
    this.#isKnown = false;
    clearTimeout(growing?.timer);
    await growing?.handle.close().catch(() => undefined);
  }

  async #prune(): Promise<void> {
    const { keepMs } = this.#options;
    const isOver = ({ endedAt }: LineFile) => keepMs > 0 && endedAt < Date.now() - keepMs;
    for (const file of this.#finished.filter(isOver)) await this.#remove(file);
  }

  async #remove(file: LineFile): Promise<void> {
    await rm(join(this.#folder, file.name), { force: true });
    this.#finished = this.#finished.filter((one) => one !== file);
  }

  get #bytes(): number {
    const finished = this.#finished.reduce((sum, { size }) => sum + size, 0);
    return finished + this.#otherBytes + (this.#growing?.size ?? 0) + (this.#compression?.bytes ?? 0);
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#options.totalBytes && this.#finished.length < mostFiles;
  }

  /** @throws Error when there is none to be had */
  async #makeRoom(bytes: number): Promise<void> {
    const { totalBytes, whenFull, log } = this.#options;
    if (!this.#hasRoomFor(bytes)) await this.#look();
    while (!this.#hasRoomFor(bytes)) {
      const [oldest] = this.#finished;
      if (whenFull === 'wait' || !oldest)
        throw new Error(`The files have ${this.#bytes} of ${totalBytes} bytes: some have to be removed`);
      log('info', 'the oldest file is removed', { file: oldest.name, bytes: oldest.size });
      await this.#remove(oldest);
    }
    const { blocks, bavail, bsize } = await statfs(this.#folder);
    const least = Math.min(blocks * bsize * leftFree.share, leftFree.bytes);
    if (bavail * bsize - bytes < least) throw new Error('The volume of the node is nearly full');
  }

  /** Compresses the first finished file that is not, beside all else; where there is no room for it the file stays as it is. */
  #compressNext(): void {
    if (!this.#options.compress || this.#compression || this.#ending.signal.aborted) return;
    const next = this.#finished.find(({ name }) => !name.endsWith('.gz'));
    const bytes = (next?.size ?? 0) + gzipOverhead;
    if (!next || this.#bytes + bytes > this.#options.totalBytes) return;
    this.#compression = { done: this.#compress(next), bytes };
  }

  async #compress({ name }: LineFile): Promise<void> {
    const failure: unknown = await gzipFile(join(this.#folder, name), this.#ending.signal).then(
      () => null,
      (error: unknown) => error,
    );
    // one that was removed meanwhile is no failure
    if (failure !== null && !this.#ending.signal.aborted && !isErrorCode(failure, 'ENOENT'))
      this.#options.log('warn', 'a file could not be compressed', { file: name, reason: reasonOf(failure) });
    this.#beside(async () => {
      this.#compression = null;
      await this.#look();
      // another attempt would fail as well, until there is another file
      if (failure === null) this.#compressNext();
    });
  }
}

async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  const piece = Buffer.alloc(64 * 1_024);
  for (let end = size; end > 0;) {
    const begin = Math.max(0, end - piece.length);
    const { bytesRead } = await handle.read(piece, 0, end - begin, begin);
    const last = piece.subarray(0, bytesRead).lastIndexOf('\n');
    if (last !== -1) return begin + last + 1;
    end = begin;
  }
  return 0;
}
