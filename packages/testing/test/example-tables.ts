import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** Tables for the test of the comparison: `right` is as it is in the database, `wrong` is not. */
export interface Tables {
  right: {
    id: GeneratedAlways<number & { readonly brand: 'right' }>;
    name: string;
    kind: 'one' | 'other' | null;
    is_open: Generated<boolean>;
    blocks: string[];
    shape: JSONColumnType<{ nodes: number }> | null;
    list: ColumnType<readonly string[], string | undefined, string>;
    anything: JSONColumnType<object | null>;
    created_at: Date;
  };
  wrong: {
    id: Generated<number>;
    name: string;
    title: string | null;
    amount: number;
    blocks: string;
    shape: JSONColumnType<Date>;
    count: Generated<number>;
    renamed: string;
  };
  gone: { id: number };
}
