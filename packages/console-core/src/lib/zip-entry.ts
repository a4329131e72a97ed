/** A reader of bytes as they come, which gives out as many as are asked for. */
class Bytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = new Uint8Array(0);

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** @throws RangeError where the stream ends before */
  async take(count: number): Promise<Uint8Array<ArrayBuffer>> {
    while (this.#rest.length < count) {
      const { done, value } = await this.#reader.read();
      if (done) throw new RangeError('The archive ends too early.');
      const joined = new Uint8Array(this.#rest.length + value.length);
      joined.set(this.#rest);
      joined.set(value, this.#rest.length);
      this.#rest = joined;
    }
    const taken = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    return taken;
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

const localHeader = 0x04034b50;
const headerLength = 30;

/**
 * One file of a ZIP, by its name, as text. The archive is read only as far as that file, so that what is large and comes later is never
 * loaded.
 * @returns undefined where the archive has no such file
 * @throws RangeError where the archive is broken or has entries of unknown length before it
 */
export async function readZipEntry(
  stream: ReadableStream<Uint8Array>,
  name: string,
): Promise<string | undefined> {
  const bytes = new Bytes(stream);
  try {
    for (;;) {
      const header = new DataView((await bytes.take(headerLength)).buffer);
      if (header.getUint32(0, true) !== localHeader) return undefined;
      const [flags, method] = [header.getUint16(6, true), header.getUint16(8, true)];
      const length = header.getUint32(18, true);
      const found = new TextDecoder().decode(await bytes.take(header.getUint16(26, true)));
      await bytes.take(header.getUint16(28, true));
      if ((flags & 8) !== 0) throw new RangeError(`The length of ${found} is not known.`);
      const content = await bytes.take(length);
      if (found === name) return await textOf(content, method);
    }
  } finally {
    await bytes.cancel().catch(() => undefined);
  }
}

const stored = 0;
const deflated = 8;

async function textOf(content: Uint8Array<ArrayBuffer>, method: number): Promise<string> {
  if (method === stored) return new TextDecoder().decode(content);
  if (method !== deflated) throw new RangeError(`The archive is compressed by method ${method}.`);
  const plain = new Blob([content]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return await new Response(plain).text();
}
