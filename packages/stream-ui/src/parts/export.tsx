import { useEffect, useRef, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import type { Range } from '@sluice/streams';
import { Button } from '@sluice/ui/button.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import { exportMessages } from '../broker/export.ts';
import { explained, type Broker } from '../broker/session.ts';

interface ExportProps {
  broker: Broker;
  stream: StreamInfo;
  range: Range;
}

/** Saves messages as a file, and nothing of them when it is stopped. */
export function Export({ broker, stream, range }: ExportProps) {
  const running = useRef<AbortController>(undefined);
  const [count, setCount] = useState<number>();
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const { signal } = (running.current = new AbortController());
    setCount(0);
    try {
      const exported = await exportMessages(broker, stream, range, signal, setCount);
      if (!signal.aborted) {
        saveFile(`${stream.config.name}.ndjson`, exported.parts, 'application/x-ndjson');
        toast(
          `${plural(exported.count, 'message')} in the file`,
          exported.isCut ? 'There are more. sluice messages export has no limit.' : undefined,
        );
      }
    } catch (error) {
      if (!signal.aborted) toastError(explained(error));
    }
    setCount(undefined);
  };
  return count === undefined ? (
    <Button onPress={() => void start()}>Export</Button>
  ) : (
    <>
      <Button onPress={() => running.current?.abort()}>Stop the export</Button>
      <span>{formatCount(count)} exported…</span>
    </>
  );
}
