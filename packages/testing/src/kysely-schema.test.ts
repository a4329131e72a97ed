import pg from 'pg';
import { testDatabase, type TestDatabase } from './database.ts';
import { schemaDifferences } from './kysely-schema.ts';

const tables = new URL('../test/example-tables.ts', import.meta.url);
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await pool.query(`
    CREATE TABLE outbox (id bigint);
    CREATE TABLE "right" (id bigint GENERATED ALWAYS AS IDENTITY, name text NOT NULL, kind text,
      is_open boolean NOT NULL DEFAULT true, blocks cidr[] NOT NULL, shape jsonb,
      list jsonb NOT NULL DEFAULT '[]', anything jsonb NOT NULL, created_at timestamptz NOT NULL);
    CREATE TABLE wrong (id bigint GENERATED ALWAYS AS IDENTITY, name text, title text NOT NULL,
      amount numeric NOT NULL, blocks text[] NOT NULL, shape jsonb NOT NULL, count integer NOT NULL,
      original text NOT NULL);
    CREATE TABLE added (id bigint)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('every difference between the tables of Kysely and those of the database is reported, and nothing else', async () => {
  expect(await schemaDifferences(tables, pool)).toEqual([
    'added: only in the database',
    'gone: only in Tables',
    'wrong.amount: number in Tables, string in the database',
    'wrong.blocks: string in Tables, string[] in the database',
    'wrong.count: can be left out of an INSERT in Tables, has no default in the database',
    'wrong.id: can be inserted in Tables, is always generated in the database',
    'wrong.name: can be null in the database only',
    'wrong.original: only in the database',
    'wrong.renamed: only in Tables',
    'wrong.shape: Date in Tables, json in the database',
    'wrong.title: can be null in Tables only',
    'wrong.title: can be left out of an INSERT in Tables, has no default in the database',
  ]);
});

test('a file without tables is refused', async () => {
  const other = new URL('./database.ts', import.meta.url);
  await expect(schemaDifferences(other, pool)).rejects.toThrow(`has no exported member 'Tables'`);
});
