export { readDocuments, type Source } from './document/read.ts';
export { Secrets } from './document/secrets.ts';
export { wantedOf } from './document/wanted.ts';
export { exportOf } from './export.ts';
export { InvalidDocument } from './invalid-document.ts';
export { applyPlan, planDocuments, readAll, type Planned } from './plan-documents.ts';
export type { Obstacle, Plan, Price, Step } from './plan/types.ts';
export type { Result } from './run/execute.ts';
export { PersonNeeded } from './run/person-needed.ts';
