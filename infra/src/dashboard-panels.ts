type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes';

export interface Panel {
  title: string;
  unit: Unit;
  /** legend and expression */
  series: Record<string, string>;
}

const requests = 'sluice_http_requests_total{service=~"$service"}';
/** what is held open on purpose says nothing about how fast anything is */
const buckets =
  'sluice_http_request_seconds_bucket{service=~"$service", operation!~"getDesiredState|streamLogLines|streamEvents|streamRegionEvents"}';
const quantile = (share: number, by: string, metric: string) =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${metric}[$__rate_interval])))`;
const rate = (by: string, metric: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
/** each replica tells the same of a database that they share */
const ofAll = (by: string, metric: string) => `max by (${by}) (${metric})`;

/** The rows of the dashboard, by their titles. */
export const rows: Record<string, readonly Panel[]> = {
  Requests: [
    { title: 'Requests', unit: 'reqps', series: { '{{service}}': rate('service', requests) } },
    {
      title: 'Errors',
      unit: 'reqps',
      series: {
        '{{service}} {{status}} {{code}}': rate(
          'service, status, code',
          'sluice_http_requests_total{service=~"$service", status=~"5..|429|499"}',
        ),
      },
    },
    {
      title: 'Duration, 99th percentile',
      unit: 's',
      series: { '{{service}} {{operation}}': `topk(10, ${quantile(0.99, 'service, operation', buckets)})` },
    },
    {
      title: 'In flight',
      unit: 'short',
      series: { '{{service}}': 'sum by (service) (sluice_http_requests_in_flight)' },
    },
    {
      title: 'Requests by operation',
      unit: 'reqps',
      series: { '{{operation}}': `topk(10, ${rate('operation', requests)})` },
    },
  ],
  Messages: [
    {
      title: 'Outbox: waiting',
      unit: 'short',
      series: { '{{job}} {{region}}': ofAll('job, region', 'sluice_outbox_waiting') },
    },
    {
      title: 'Outbox: age of the oldest',
      unit: 's',
      series: { '{{job}} {{region}}': ofAll('job, region', 'sluice_outbox_oldest_seconds') },
    },
    { title: 'Sent', unit: 'reqps', series: { '{{job}}': rate('job', 'sluice_outbox_relayed_total') } },
    {
      title: 'Consumers: pending',
      unit: 'short',
      series: {
        '{{consumer}}': ofAll('consumer', 'sluice_consumer_pending'),
        '{{consumer}} unacknowledged': ofAll('consumer', 'sluice_consumer_unacknowledged'),
        '{{consumer}} redelivered': ofAll('consumer', 'sluice_consumer_redelivered'),
      },
    },
    {
      title: 'Consumers: age of the oldest',
      unit: 's',
      series: { '{{consumer}}': ofAll('consumer', 'sluice_consumer_oldest_seconds') },
    },
    {
      title: 'Handling, 99th percentile',
      unit: 's',
      series: { '{{consumer}}': quantile(0.99, 'consumer', 'sluice_message_handling_seconds_bucket') },
    },
    {
      title: 'Attempts by outcome',
      unit: 'reqps',
      series: {
        '{{consumer}} {{outcome}}': rate('consumer, outcome', 'sluice_message_handling_seconds_count'),
      },
    },
    {
      title: 'Dead-lettered, paused',
      unit: 'short',
      series: {
        'dead letters of {{consumer}}': ofAll('consumer', 'sluice_dead_letters'),
        'of the outbox of {{job}}': ofAll('job', 'sluice_outbox_dead_letters'),
        '{{consumer}} paused': ofAll('consumer', 'sluice_consumer_paused'),
      },
    },
  ],
  'Audit log': [
    {
      title: 'Heads: since they were published',
      unit: 's',
      series: { '{{instance}}': 'time() - sluice_audit_heads_published_seconds' },
    },
    { title: 'Sinks', unit: 'short', series: { '{{state}}': ofAll('state', 'sluice_audit_sinks') } },
    {
      title: 'Batches to sinks',
      unit: 'reqps',
      series: { '{{kind}} {{outcome}}': rate('kind, outcome', 'sluice_audit_sink_batches_total') },
    },
  ],
  Rights: [
    { title: 'Grants', unit: 'short', series: { '{{job}} {{instance}}': 'sluice_grants' } },
    { title: 'Grants: lag', unit: 'short', series: { '{{job}} {{instance}}': 'sluice_grants_lag' } },
    { title: 'Grants: lease', unit: 's', series: { '{{job}} {{instance}}': 'sluice_grants_lease_seconds' } },
  ],
  Regions: [
    {
      title: 'Deployments',
      unit: 'short',
      series: { '{{region}} {{status}}': ofAll('region, status', 'sluice_deployments') },
    },
    {
      title: 'Longest in a status that should pass',
      unit: 's',
      series: {
        '{{region}} {{status}}': ofAll(
          'region, status',
          'sluice_deployments_status_seconds{status!~"initialized|stopped|failed"}',
        ),
      },
    },
    {
      title: 'Due, and for how long',
      unit: 'short',
      series: {
        '{{region}} due': ofAll('region', 'sluice_reconcile_due'),
        '{{region}} seconds': ofAll('region', 'sluice_reconcile_overdue_seconds'),
      },
    },
    {
      title: 'Slots',
      unit: 'short',
      series: {
        '{{instance}} used': 'sluice_reconcile_slots_used',
        '{{instance}}': 'sluice_reconcile_slots',
      },
    },
    {
      title: 'Work under a lease, 95th percentile, and the oldest lease',
      unit: 's',
      series: {
        '{{region}} {{outcome}}': quantile(0.95, 'region, outcome', 'sluice_reconcile_seconds_bucket'),
        '{{instance}} oldest lease': 'sluice_reconcile_lease_seconds',
      },
    },
    {
      title: 'Steps',
      unit: 'reqps',
      series: { '{{step}} {{outcome}}': rate('step, outcome', 'sluice_reconcile_step_seconds_count') },
    },
    {
      title: 'Calls of drivers, 95th percentile',
      unit: 's',
      series: {
        '{{call}} {{outcome}}': quantile(0.95, 'call, outcome', 'sluice_driver_call_seconds_bucket'),
      },
    },
    {
      title: 'Nodes',
      unit: 'short',
      series: {
        '{{region}} {{agent_version}}': ofAll('region, agent_version', 'sluice_nodes'),
        '{{region}} unreachable': ofAll('region', 'sluice_unreachable_nodes'),
      },
    },
    {
      title: 'Health alerts, deletions overdue',
      unit: 'short',
      series: {
        '{{region}} {{kind}}': ofAll('region, kind', 'sluice_health_alerts'),
        '{{region}} deletions overdue': ofAll('region', 'sluice_deletions_overdue'),
      },
    },
  ],
  Programs: [
    {
      title: 'Database connections used',
      unit: 'percentunit',
      series: { '{{instance}} {{pool}}': 'sluice_database_pool_used / sluice_database_pool_size' },
    },
    {
      title: 'Waits for a connection, 99th percentile',
      unit: 's',
      series: { '{{job}} {{pool}}': quantile(0.99, 'job, pool', 'sluice_database_pool_wait_seconds_bucket') },
    },
    {
      title: 'CPU',
      unit: 'percentunit',
      series: { '{{job}} {{instance}}': 'rate(process_cpu_seconds_total[$__rate_interval])' },
    },
    { title: 'Memory', unit: 'bytes', series: { '{{job}} {{instance}}': 'process_resident_memory_bytes' } },
    {
      title: 'Event loop lag, p99',
      unit: 's',
      series: { '{{job}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
    {
      title: 'Spans of traces',
      unit: 'reqps',
      series: {
        '{{job}} sent': rate('job', 'sluice_spans_sent_total'),
        '{{job}} lost': rate('job', 'sluice_spans_lost_total'),
      },
    },
    {
      title: 'Errors that nothing has caught',
      unit: 'short',
      series: {
        '{{job}} {{origin}}':
          'sum by (job, origin) (increase(sluice_uncaught_errors_total[$__rate_interval]))',
      },
    },
  ],
};
