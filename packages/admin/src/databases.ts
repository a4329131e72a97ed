import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@sluice/service';

/** The addresses of an installation's databases, by the names of its services. */
export type Databases = ReadonlyMap<string, string>;

const prefix = 'DATABASE_URL.';

/** Those of the files `DATABASE_URL.<service>` of a folder. @throws ConfigError when it cannot be read */
export async function databasesIn(folder: string): Promise<Databases> {
  try {
    const files = (await readdir(folder)).filter((file) => file.startsWith(prefix)).sort();
    const addresses = files.map(async (file): Promise<[string, string]> => {
      const address = await readFile(join(folder, file), 'utf8');
      return [file.slice(prefix.length), address.trim()];
    });
    return new Map(await Promise.all(addresses));
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The configuration is not usable:\n  DATABASE_URLS_DIR: the folder cannot be read (${code})`,
    );
  }
}
