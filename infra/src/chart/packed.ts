import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A `tar.gz` of files below a folder: the same bytes for the same files. */
export async function packed(folder: string, files: ReadonlyMap<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of files)
    archive.entry({ name: `${folder}/${name}`, mtime: new Date(0), mode: 0o644 }, text);
  archive.finalize();
  return await buffer(archive.pipe(createGzip({ level: 9 })));
}
