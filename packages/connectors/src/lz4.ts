const frameMagic = 0x184d2204;

/**
 * Expands an LZ4 frame (lz4_Frame_format.md, lz4_Block_format.md) to at most `mostBytes`. The decoders in package registries know no such
 * bound, and one that fails in WebAssembly does not give back its memory. Checksums are left out: what Kafka sends has its own.
 * @throws Error for more bytes than that, and for what is no such frame
 */
export function expandLz4(frame: Buffer, mostBytes: number): Buffer {
  if (frame.readUInt32LE(0) !== frameMagic) throw new Error('The records are no LZ4');
  const flags = frame.readUInt8(4);
  if (flags & 1) throw new Error('The records are LZ4 with a dictionary');
  const largestBlock = 2 ** (8 + 2 * ((frame.readUInt8(5) >> 4) & 7));
  let count = 0;
  eachBlock(frame, flags, () => count++);
  const output = Buffer.allocUnsafe(Math.min(count * largestBlock, mostBytes));
  let written = 0;
  eachBlock(frame, flags, (block, isStored) => {
    if (isStored) requireRoom(output, written, block.length);
    written = isStored ? written + block.copy(output, written) : expandBlock(block, output, written);
  });
  return Buffer.from(output.subarray(0, written));
}

function eachBlock(frame: Buffer, flags: number, use: (block: Buffer, isStored: boolean) => void): void {
  const hasSums = (flags & 16) !== 0;
  let at = flags & 8 ? 15 : 7;
  for (let size = frame.readUInt32LE(at); size !== 0; size = frame.readUInt32LE(at)) {
    const end = at + 4 + (size & 0x7fffffff);
    use(frame.subarray(at + 4, end), size >= 2 ** 31);
    at = end + (hasSums ? 4 : 0);
  }
}

/** Writes from `written` on. @returns where it has ended */
function expandBlock(block: Buffer, output: Buffer, written: number): number {
  let at = 0;
  /** what a length has beyond its four bits */
  const more = () => {
    let sum = 0;
    let byte: number;
    do sum += byte = block.readUInt8(at++);
    while (byte === 255);
    return sum;
  };
  while (at < block.length) {
    const token = block.readUInt8(at++);
    const literals = token >> 4 === 15 ? 15 + more() : token >> 4;
    requireRoom(output, written, literals);
    if (literals > block.length - at) throw new Error('The records are no LZ4');
    written += block.copy(output, written, at, (at += literals));
    // the last sequence of a block ends with its literals
    if (at === block.length) break;
    const distance = block.readUInt16LE(at);
    at += 2;
    const length = 4 + ((token & 15) === 15 ? 15 + more() : token & 15);
    requireRoom(output, written, length);
    if (distance === 0 || distance > written) throw new Error('The records are no LZ4');
    // byte by byte where it repeats what it has just written
    if (distance >= length) output.copyWithin(written, written - distance, written - distance + length);
    else for (let n = 0; n < length; n++) output[written + n] = output[written + n - distance] as number;
    written += length;
  }
  return written;
}

function requireRoom(output: Buffer, written: number, length: number): void {
  if (written + length > output.length) throw new RangeError('The records expand to too many bytes');
}
