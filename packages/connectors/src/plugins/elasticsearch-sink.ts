import { bulkSink } from '../bulk.ts';

/** Indexes messages as documents. */
export const elasticsearchSink = bulkSink('elasticsearch');
