import { Gauge, type Registry } from '@prometheus-io/client';

/** How far an instance has got with its grants. */
export interface GrantState {
  /** grants that it holds */
  size: number;
  /** revisions of the bucket that it has seen to be there and has not applied */
  lag: number;
  /** how long it may still authorize without hearing from NATS, in seconds; 0 without a lease */
  leaseSeconds: number;
}

/** Metrics of the grants that an instance has in memory. */
export function measureGrants(registry: Registry, grants: { readonly state: GrantState }): void {
  const gauge = (name: string, help: string, value: (state: GrantState) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value(grants.state));
      },
    });
  gauge('sluice_grants', 'Grants that this instance holds', ({ size }) => size);
  gauge(
    'sluice_grants_lag',
    'Changes of grants that this instance knows of and has not applied',
    ({ lag }) => lag,
  );
  gauge(
    'sluice_grants_lease_seconds',
    'How long this instance may still authorize without hearing from NATS; 0: it does not',
    ({ leaseSeconds }) => leaseSeconds,
  );
}
