import { bulkSink } from '../bulk.ts';

/** Indexes messages as documents. */
export const opensearchSink = bulkSink('opensearch');
