import { deflateRawSync } from 'node:zlib';
import { readZipEntry } from './zip-entry.ts';

/** A file in a ZIP, as it is written where its length is known before. */
function entry(name: string, content: string, { isDeflated = true, flags = 0 } = {}): Buffer {
  const data = isDeflated ? deflateRawSync(content) : Buffer.from(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(isDeflated ? 8 : 0, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name), data]);
}

const end = Buffer.concat([Buffer.from([0x50, 0x4b, 0x01, 0x02]), Buffer.alloc(60)]);

/** In pieces that end anywhere. */
function streamOf(archive: Buffer, onCancel = () => {}): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= archive.length) controller.close();
      else controller.enqueue(new Uint8Array(archive.subarray(at, (at += 7))));
    },
    cancel: onCancel,
  });
}

test('a file is read by its name, and what comes after it is not', async () => {
  let isCancelled = false;
  const archive = Buffer.concat([
    entry('report.html', '<p>'.repeat(100)),
    entry('findings.json', '{"checks":[]}'),
    entry('broker-data.zip', 'x'.repeat(10_000), { isDeflated: false }),
  ]);
  const stream = streamOf(archive, () => (isCancelled = true));
  expect(await readZipEntry(stream, 'findings.json')).toBe('{"checks":[]}');
  expect(isCancelled).toBe(true);
});

test('a file that is only stored is read as it is', async () => {
  const archive = entry('findings.json', 'plain', { isDeflated: false });
  expect(await readZipEntry(streamOf(archive), 'findings.json')).toBe('plain');
});

test('an archive without the file has none', async () => {
  expect(
    await readZipEntry(streamOf(Buffer.concat([entry('report.html', ''), end])), 'findings.json'),
  ).toBeUndefined();
});

test('an archive that breaks off is refused, and so is a file of unknown length', async () => {
  const archive = entry('findings.json', 'long enough');
  await expect(readZipEntry(streamOf(archive.subarray(0, -4)), 'findings.json')).rejects.toThrow('too early');
  const unknown = entry('report.html', 'text', { flags: 8 });
  await expect(readZipEntry(streamOf(unknown), 'findings.json')).rejects.toThrow('not known');
});
