import { aDeployment, eventually } from '@sluice/testing';
import pg from 'pg';
import { untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

describe('a step that changes nodes', () => {
  const region = supervisor({ per: 'test' });

  test('keeps nobody who has changed a node from waking the reconciler: they would wait for each other', async () => {
    const { url } = await region.start();
    const key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    const isDeployed = 'SELECT FROM nodes WHERE deployed_at IS NOT NULL';
    await eventually(async () => expect(await region.sql(isDeployed)).toHaveLength(1));

    const poll = new pg.Client({ connectionString: region.databaseUrl });
    await poll.connect();
    try {
      await region.sql('UPDATE nodes SET deployed_at = NULL');
      await poll.query('BEGIN');
      await poll.query('UPDATE nodes SET applied_revision = applied_revision');
      await region.sql('UPDATE reconciliations SET due_at = now()');
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => expect(await region.sql(waits)).toHaveLength(1));
      await poll.query('SELECT FROM reconciliations FOR UPDATE NOWAIT');
      await poll.query('COMMIT');
      await eventually(async () => expect(await region.sql(isDeployed)).toHaveLength(1));
    } finally {
      await poll.end();
    }
  });
});
