import { useEffect, useMemo, useRef, useState } from 'react';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listAuditEntries, listAuditTypes, type AuditEntry } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { laterBy, lookAfter, queryOf, withNew, type LogFilter } from './entries.ts';

const pageSize = 100;
const lookMs = 3000;
const noEntries: readonly AuditEntry[] = [];

export const typesQuery = {
  ...read(keyOf('audit', null, 'audit_type'), (signal) => listAuditTypes({ client, signal })),
  staleTime: Number.POSITIVE_INFINITY,
};

interface LogPage {
  page: number;
  /** later pages are counted from the newest entry that was there at first */
  to?: string;
}

const firstPage: LogPage = { page: 1 };

const logQuery = (tenant_id: number, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: keyOf('audit', tenant_id, 'audit_entry', 'list', filter),
    queryFn: async ({ pageParam, signal }) =>
      (
        await listAuditEntries({
          client,
          path: { tenant_id },
          query: { ...queryOf(filter), ...pageParam, results: pageSize },
          signal,
        })
      ).data,
    initialPageParam: firstPage,
    getNextPageParam: ({ total_results: total }, [first], { page, to }): LogPage | undefined => {
      const newest = first?.items[0]?.timestamp;
      if (page * pageSize >= total || newest === undefined) return undefined;
      return { page: page + 1, to: to ?? laterBy(newest, 1) };
    },
    // what is new is looked for by itself
    refetchInterval: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** The entries that fit a filter, the newest first. New ones are put to them while it is shown, unless the filter ends before now. */
export function useLog(tenantId: number, filter: LogFilter, isEnabled: boolean) {
  const list = useInfiniteQuery({ ...logQuery(tenantId, filter), enabled: isEnabled });
  const pages = list.data?.pages;
  const listed = useMemo(() => pages?.flatMap(({ items }) => items), [pages]);
  const [fresh, setFresh] = useState(noEntries);
  const shape = JSON.stringify(filter);
  useEffect(() => setFresh(noEntries), [shape]);

  const opened = useRef(new Date().toISOString());
  const newest = (fresh[0] ?? listed?.[0])?.timestamp;
  const isFollowed = isEnabled && listed !== undefined && filter.before === undefined;
  const look = useQuery({
    queryKey: keyOf('audit', tenantId, 'audit_entry', 'new', filter),
    queryFn: async ({ signal }) =>
      (
        await listAuditEntries({
          client,
          path: { tenant_id: tenantId },
          query: {
            ...queryOf(filter),
            after: lookAfter(newest, filter, opened.current),
            results: pageSize,
          },
          signal,
        })
      ).data,
    enabled: isFollowed,
    gcTime: 0,
    refetchInterval: ({ state }) => Math.min(lookMs * 2 ** state.fetchFailureCount, 60_000),
  });
  const { data: found } = look;
  const { refetch } = list;
  useEffect(() => {
    const oldest = found?.items.at(-1)?.timestamp;
    if (!found || oldest === undefined) return;
    if (newest !== undefined && found.total_results > found.items.length && oldest > newest) {
      // more than a page has come since the last look: the list is read anew
      setFresh(noEntries);
      void refetch();
      return;
    }
    setFresh((before) => withNew(before, found.items));
    // only what was found is put to the others
    // oxlint-disable-next-line react/exhaustive-deps
  }, [found]);

  const rows = useMemo(() => listed && withNew(listed, fresh), [fresh, listed]);
  const total = listed && rows && pages?.[0] && pages[0].total_results + rows.length - listed.length;
  return { list, rows, total, isLive: isFollowed && !look.isError };
}
