import type { Jsz, Varz } from './monitoring.ts';

/** `cpu_percent` is of one processor. */
export function natsMetrics(server: Varz, stored: Jsz): Record<string, number> {
  return {
    cpu_percent: server.cpu,
    memory_bytes: server.mem,
    connections: server.connections,
    connections_total: server.total_connections,
    subscriptions: server.subscriptions,
    slow_consumers_total: server.slow_consumers,
    messages_received_total: server.in_msgs,
    messages_sent_total: server.out_msgs,
    bytes_received_total: server.in_bytes,
    bytes_sent_total: server.out_bytes,
    streams: stored.streams,
    consumers: stored.consumers,
    messages_stored: stored.messages,
    stored_bytes: stored.storage,
    stored_memory_bytes: stored.memory,
  };
}
