import { bulkSink } from '../bulk.ts';

export const opensearchSink = bulkSink('opensearch');
