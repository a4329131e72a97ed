import type { OutgoingMessage, SinkPlugin } from '../plugin.ts';
import { field, number } from '../schema.ts';

/** Writes messages to the log of the connectors runtime: to try things out, and the smallest example of a sink. */
export const stdoutSink: SinkPlugin = {
  type: 'sink',
  key: 'stdout',
  schema: [
    field('max_length', 'int', 'Longest content', 'characters of a message that are written', {
      default: 1_000,
      min: 0,
      max: 4_000,
    }),
  ],
  open: async (config, { log }) => ({
    write: async (batch) => {
      for (const message of batch)
        log('info', contentOf(message, number(config, 'max_length')), aboutOf(message));
      return [];
    },
    close: async () => undefined,
  }),
};

/** Bytes that are no text are shown as what stands for them. */
function contentOf({ payload }: OutgoingMessage, longest: number): string {
  // no character takes more than four bytes
  return Buffer.from(payload.subarray(0, 4 * longest))
    .toString('utf8')
    .slice(0, longest);
}

const aboutOf = ({ id, stream, topic, payload }: OutgoingMessage) => ({
  id,
  stream,
  topic,
  bytes: payload.length,
});
