import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository, testFolder, unpackLastRelease } from '@sluice/testing';
import { breaksTheReleaseBefore } from './migration-rules.ts';

const migrationsIn = (folder: string) => globSync('{packages,services}/*/migrations/*.sql', { cwd: folder });
let released: string;
beforeAll(async () => {
  released = await testFolder();
  await unpackLastRelease(released);
});

test('what the last release has shipped is as it was', async () => {
  const shipped = migrationsIn(released);
  expect(shipped.length).toBeGreaterThan(0);
  for (const file of shipped)
    expect([file, await readFile(join(repository, file), 'utf8').catch(() => 'is gone')]).toEqual([
      file,
      await readFile(join(released, file), 'utf8'),
    ]);
});

test('what is newer lets the last release work beside it', async () => {
  const newer = migrationsIn(repository).filter((file) => !existsSync(join(released, file)));
  const read = (file: string) => readFile(join(repository, file), 'utf8');
  const broken = await Promise.all(
    newer.map(async (file) => {
      const since = await Promise.all(newer.filter((other) => dirname(other) === dirname(file)).map(read));
      const sentences = breaksTheReleaseBefore(await read(file), since.join('\n'));
      return sentences.map((sentence) => `${file} ${sentence}`);
    }),
  );
  expect(broken.flat()).toEqual([]);
});

test.each([
  'DROP TABLE cups',
  'ALTER TABLE cups DROP COLUMN colour',
  'ALTER TABLE cups ALTER COLUMN colour DROP NOT NULL',
  'ALTER TABLE cups DROP CONSTRAINT cups_colour',
  'ALTER TABLE cups RENAME colour TO paint',
  'alter table cups alter column size type bigint',
  'ALTER TABLE cups ALTER size SET DATA TYPE bigint',
  'ALTER TABLE cups ALTER COLUMN colour SET NOT NULL',
  'ALTER TABLE cups ADD COLUMN size int NOT NULL',
  'ALTER TABLE cups ADD COLUMN size int DEFAULT 1, ADD COLUMN handle text NOT NULL',
  'CREATE UNIQUE INDEX cups_by_colour ON cups (colour)',
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS cups_by_colour ON cups (colour)',
  "ALTER TABLE cups ADD CONSTRAINT cups_colour CHECK (colour <> '')",
  'ALTER TABLE cups\n  ADD FOREIGN KEY (owner) REFERENCES owners',
  'CREATE INDEX cups_by_size ON cups (size)',
  'CREATE TRIGGER cups_painted BEFORE INSERT ON cups FOR EACH ROW EXECUTE FUNCTION paint()',
  'ALTER TABLE cups ENABLE ROW LEVEL SECURITY',
  'TRUNCATE cups',
  'REVOKE DELETE ON cups FROM PUBLIC',
  'REVOKE ALL ON FUNCTION paint FROM PUBLIC',
  '-- a default in a comment is none\nALTER TABLE cups ADD COLUMN size int NOT NULL -- DEFAULT 1\n',
])('%s is refused, unless a line says why', (statement) => {
  expect(breaksTheReleaseBefore(statement)).toHaveLength(1);
  const excused = `-- the release before does not mind: nothing ever read it\n${statement}`;
  expect(breaksTheReleaseBefore(excused)).toEqual([]);
});

test.each([
  'CREATE TABLE cups (id bigint PRIMARY KEY, colour text NOT NULL)',
  'ALTER TABLE cups ADD COLUMN size int, ADD COLUMN handle text NOT NULL DEFAULT 1',
  'ALTER TABLE cups ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT cups_id UNIQUE',
  'DROP INDEX CONCURRENTLY cups_by_colour; CREATE INDEX CONCURRENTLY cups_by_size ON cups (size)',
  'CREATE TABLE plates (size int); CREATE UNIQUE INDEX plates_by_size ON plates (size); TRUNCATE plates',
  'ALTER TABLE cups ADD COLUMN plate int; CREATE UNIQUE INDEX cups_by_plate ON cups (plate)',
  'ALTER TABLE cups ADD COLUMN size int, ADD CONSTRAINT cups_size CHECK (size > 0)',
  'ALTER TABLE cups ADD COLUMN owner bigint REFERENCES owners ON DELETE CASCADE',
  'CREATE FUNCTION paint() RETURNS void LANGUAGE sql; REVOKE ALL ON FUNCTION paint FROM PUBLIC',
  "UPDATE cups SET colour = 'DROP TABLE plates' WHERE colour IS NOT NULL",
])('%s is not', (statement) => expect(breaksTheReleaseBefore(statement)).toEqual([]));
