import { bulkSink } from '../bulk.ts';

export const elasticsearchSink = bulkSink('elasticsearch');
