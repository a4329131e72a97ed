import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import ts from 'typescript';
import { platformTables } from './platform-tables.ts';

/** A column: as `Tables` has it, or as the database has it. */
interface Column {
  /** what a row holds: `string`, `number`, `boolean`, `Date`, `json`, `bytes`, an array of these such as `string[]`, or another type */
  kind: string;
  nullable: boolean;
  /** whether an `INSERT` has to give a value, may leave it out, or must not give one */
  onInsert: 'required' | 'optional' | 'never';
}
type Schema = Map<string, Map<string, Column>>;

/**
 * Compares the interface `Tables` of a service, by which Kysely checks its statements, with its migrated database.
 * @param file TypeScript source that exports `Tables`, in a package that depends on Kysely
 * @returns a sentence for each difference, none when the two agree
 */
export async function schemaDifferences(file: URL, database: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const declared = declaredSchema(fileURLToPath(file));
  const real = await databaseSchema(database);
  return namesOf(declared, real).flatMap((table) => {
    const [expected, found] = [declared.get(table), real.get(table)];
    if (!expected || !found) return [`${table}: only in ${expected ? 'Tables' : 'the database'}`];
    return namesOf(expected, found).flatMap((column) =>
      columnDifferences(expected.get(column), found.get(column)).map((text) => `${table}.${column}: ${text}`),
    );
  });
}

const namesOf = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  [...new Set([...one.keys(), ...other.keys()])].sort();

function columnDifferences(declared: Column | undefined, real: Column | undefined): string[] {
  if (!declared || !real) return [`only in ${declared ? 'Tables' : 'the database'}`];
  const differences: string[] = [];
  // JSON comes as what it holds, which is never a Date
  const fits = real.kind === 'json' ? declared.kind !== 'Date' : declared.kind === real.kind;
  if (!fits) differences.push(`${declared.kind} in Tables, ${real.kind} in the database`);
  // JSON that is there can be JSON's own null
  if (declared.nullable !== real.nullable && !(real.kind === 'json' && declared.nullable))
    differences.push(`can be null in ${declared.nullable ? 'Tables' : 'the database'} only`);
  if (real.onInsert === 'required' && declared.onInsert !== 'required')
    differences.push('can be left out of an INSERT in Tables, has no default in the database');
  if (real.onInsert === 'never' && declared.onInsert !== 'never')
    differences.push('can be inserted in Tables, is always generated in the database');
  return differences;
}

/** What rows look like to a caller that selects and inserts with Kysely, which resolves `Generated`, `JSONColumnType` and the like. */
const rowsModule = (file: string) => `
  import type { Insertable, Selectable } from 'kysely';
  import type { Tables } from './${file}';
  export type Selected = { [Name in keyof Tables]: Selectable<Tables[Name]> };
  export type Inserted = { [Name in keyof Tables]: Insertable<Tables[Name]> };
`;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  types: [],
};

const partsOfServices = new Set(
  ['service', 'messaging', 'grants', 'http', 'runtime'].map((name) => `@sluice/${name}`),
);

function declaredSchema(file: string): Schema {
  const path = join(dirname(file), 'rows-of-the-tables.ts');
  const source = ts.createSourceFile(path, rowsModule(basename(file)), ts.ScriptTarget.ES2023, true);
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([path], options, {
    ...host,
    fileExists: (name) => name === path || host.fileExists(name),
    getSourceFile: (name, ...more) => (name === path ? source : host.getSourceFile(name, ...more)),
    resolveModuleNameLiterals: (literals, from, redirected, _options, importing) =>
      literals.map((literal) => {
        // reading these with all that they import takes longer than the rest; no column has a type of theirs
        if (partsOfServices.has(literal.text)) return { resolvedModule: undefined };
        const mode = ts.getModeForUsageLocation(importing, literal, options);
        return ts.resolveModuleName(literal.text, from, options, host, undefined, redirected, mode);
      }),
  });
  const errors = program.getSemanticDiagnostics(source);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, { ...host, getNewLine: () => '\n' }));

  const checker = program.getTypeChecker();
  const propertiesOf = (type: ts.Type) =>
    new Map(checker.getPropertiesOfType(type).map((property) => [property.name, property]));
  const tablesOf = (alias: string) => {
    const symbol = checker.getSymbolAtLocation(source)?.exports?.get(ts.escapeLeadingUnderscores(alias));
    if (!symbol) throw new Error(`no type ${alias}`);
    return propertiesOf(checker.getDeclaredTypeOfSymbol(symbol));
  };
  const inserted = tablesOf('Inserted');
  return new Map(
    [...tablesOf('Selected')].map(([table, row]) => {
      const insertable = inserted.get(table);
      const onInsert = insertable && propertiesOf(checker.getTypeOfSymbol(insertable));
      const columns = [...propertiesOf(checker.getTypeOfSymbol(row))];
      return [
        table,
        new Map(columns.map(([name, column]) => [name, columnOf(checker, column, onInsert?.get(name))])),
      ];
    }),
  );
}

function columnOf(checker: ts.TypeChecker, selected: ts.Symbol, inserted: ts.Symbol | undefined): Column {
  const type = checker.getTypeOfSymbol(selected);
  const parts = type.isUnion() ? type.types : [type];
  const isOptional = inserted && (inserted.flags & ts.SymbolFlags.Optional) !== 0;
  return {
    kind: kindOf(checker, checker.getNonNullableType(type)),
    nullable: parts.some(({ flags }) => flags & ts.TypeFlags.Null),
    onInsert: !inserted ? 'never' : isOptional ? 'optional' : 'required',
  };
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.isUnion()) {
    const kinds = new Set(type.types.map((part) => kindOf(checker, part)));
    return [...kinds].sort().join(' | ');
  }
  // an id with a brand is a number all the same
  const parts = type.isIntersection() ? type.types : [type];
  const has = (flag: ts.TypeFlags) => parts.some(({ flags }) => flags & flag);
  if (has(ts.TypeFlags.StringLike)) return 'string';
  if (has(ts.TypeFlags.NumberLike)) return 'number';
  if (has(ts.TypeFlags.BooleanLike)) return 'boolean';
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return `${element ? kindOf(checker, element) : 'unknown'}[]`;
  }
  if (type.symbol?.name === 'Uint8Array') return 'bytes';
  return type.symbol?.name === 'Date' ? 'Date' : checker.typeToString(type);
}

interface ColumnRow {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  defaulted: boolean;
  generated: boolean;
}

const columnsQuery = `
  SELECT table_name AS "table", column_name AS name, c.udt_name AS type, is_nullable = 'YES' AS nullable,
    column_default IS NOT NULL OR is_identity = 'YES' AS defaulted,
    is_generated = 'ALWAYS' OR coalesce(identity_generation = 'ALWAYS', false) AS generated
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND table_name <> ALL ($1)`;

async function databaseSchema(database: Pick<pg.Pool, 'query'>): Promise<Schema> {
  const { rows } = await database.query<ColumnRow>(columnsQuery, [platformTables]);
  const schema: Schema = new Map();
  for (const { table, name, type, nullable, defaulted, generated } of rows) {
    const columns = schema.get(table) ?? new Map<string, Column>();
    const onInsert = generated ? 'never' : defaulted || nullable ? 'optional' : 'required';
    columns.set(name, { kind: kindOfPostgres(type), nullable, onInsert });
    schema.set(table, columns);
  }
  return schema;
}

/** What a type of PostgreSQL is read as: by the driver, which reads bigint as a number. */
function kindOfPostgres(type: string): string {
  if (type.startsWith('_')) return `${kindOfPostgres(type.slice(1))}[]`;
  if (/^(int[248]|float[48])$/.test(type)) return 'number';
  if (/^(text|varchar|bpchar|uuid|cidr|inet|numeric)$/.test(type)) return 'string';
  if (/^jsonb?$/.test(type)) return 'json';
  if (type === 'timestamptz') return 'Date';
  if (type === 'bytea') return 'bytes';
  return type === 'bool' ? 'boolean' : type;
}
