import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Place } from './config.ts';
import type { DumpStore } from './store.ts';

/** of 10,000 parts at most, so a dump has at most 160 GB; two are in memory */
const partSize = 16 * 1024 * 1024;
const partsAtATime = 2;

/** A bucket with the API of S3. A dump is an upload of several parts, which is an object when it is completed. Credentials are those of the AWS SDK. */
export function openBucket({
  DUMPS_BUCKET: Bucket,
  DUMPS_PREFIX,
  DUMPS_REGION,
  DUMPS_ENDPOINT,
}: Place): DumpStore {
  const client = new S3Client({
    region: DUMPS_REGION,
    ...(DUMPS_ENDPOINT !== undefined && { endpoint: DUMPS_ENDPOINT, forcePathStyle: true }),
    // storage that is not AWS knows the newer checksums as little as needs be
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const placeOf = (name: string) => ({ Bucket, Key: `${DUMPS_PREFIX}${name}` });
  return {
    async write(name, content, signal) {
      let bytes = 0;
      const params = { ...placeOf(name), Body: counted(content, (length) => (bytes += length)) };
      const upload = new Upload({ client, params, partSize, queueSize: partsAtATime });
      const abort = () => void upload.abort();
      signal.addEventListener('abort', abort);
      try {
        signal.throwIfAborted();
        await upload.done();
        return bytes;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand(placeOf(name)));
      if (!(Body instanceof Readable)) throw new Error(`${name} has no content`);
      return Body;
    },
    async list(prefix) {
      const names: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket, Prefix: `${DUMPS_PREFIX}${prefix}` },
      ))
        names.push(...Contents.flatMap(({ Key }) => Key?.slice(DUMPS_PREFIX.length) ?? []));
      return names.sort();
    },
    remove: async (name) => void (await client.send(new DeleteObjectCommand(placeOf(name)))),
  };
}

/** The content as a stream that ends with an error where it does: the upload is aborted then. */
function counted(content: Readable, count: (length: number) => void): Readable {
  return Readable.from(
    (async function* () {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        count(chunk.length);
        yield chunk;
      }
    })(),
  );
}
