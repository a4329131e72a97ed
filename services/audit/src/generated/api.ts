// Generated from the OpenAPI document by `npm run generate`: change that, not this.

import type { ApiKeyId, DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';

export interface paths {
  '/audit/types': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the types of event that are recorded
     * @description With the labels that people read. For whoever may read an audit log, of a tenant or of any division.
     */
    get: operations['listAuditTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit/tenants/{tenant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the entries of a tenant
     * @description Newest first. An entry is listed when it satisfies every filter that is given. Pages are counted from the newest
     *     entry, so new entries move the others on to later pages; with a `to` in the past, pages stay as they are.
     *
     *     With `division=<id>`, `audit:read` in that division is enough: it lists what happened in the division, and the other
     *     filters choose among that.
     */
    get: operations['listAuditEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit/tenants/{tenant_id}/verify': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Verify the log of a tenant
     * @description Computes the chain of the tenant's entries anew, from the oldest that is kept to the newest, compares it with the heads that
     *     were published, and names the first entry that does not fit. It takes about a minute for two million entries; there is one
     *     at a time for each tenant, and few in all.
     */
    get: operations['verifyAuditLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Format: int64
     * @description a tenant
     */
    TenantId: TenantId;
    /**
     * Format: int64
     * @description a division
     */
    DivisionId: DivisionId;
    /**
     * Format: int64
     * @description an environment
     */
    EnvironmentId: EnvironmentId;
    /**
     * Format: int64
     * @description a deployment
     */
    DeploymentId: DeploymentId;
    /**
     * Format: int64
     * @description a user
     */
    UserId: UserId;
    /**
     * Format: int64
     * @description an API key
     */
    ApiKeyId: ApiKeyId;
    /**
     * Format: date-time
     * @description a time in UTC
     * @example 2026-03-14T09:26:53.589Z
     */
    Timestamp: string;
    /**
     * @description An ISO 8601 time with `Z` or an offset (send its `+` as `%2B`), or a date, which is its midnight in UTC
     * @example 2026-03-14
     * @example 2026-03-14T10:26:53+01:00
     */
    DateOrTime: string;
    /** @description a division by its id and its name */
    NamedDivision: {
      id: components['schemas']['DivisionId'];
      name: string;
    };
    /** @description an environment by its id and its name */
    NamedEnvironment: {
      id: components['schemas']['EnvironmentId'];
      name: string;
    };
    /** @description a deployment by its id and its name */
    NamedDeployment: {
      id: components['schemas']['DeploymentId'];
      name: string;
    };
    /** @description a user by its id and its name */
    NamedUser: {
      id: components['schemas']['UserId'];
      name: string;
    };
    /** @description an API key by its id and its name */
    NamedApiKey: {
      id: components['schemas']['ApiKeyId'];
      name: string;
    };
    /** @description An RFC 9457 problem document. Act on `code`, show `detail`, report `instance`. */
    Problem: {
      /** @description always `about:blank` */
      type: string;
      /** @description what went wrong, in few words; the same for each `code` */
      title: string;
      /** @description the HTTP status */
      status: number;
      /** @description stable, snake_case */
      code: string;
      /** @description what went wrong, for people */
      detail: string;
      /** @description the request's id */
      instance: string;
      /** @description whether the same request can succeed later */
      retryable: boolean;
      /** @description what is wrong with which field */
      field_issues?: components['schemas']['FieldIssue'][];
      /** @description how many more there are */
      unlisted_issues?: number;
    };
    /** @description what is wrong with one field of a request */
    FieldIssue: {
      /** @description JSON pointer led by body, query or path */
      path: string;
      /** @description stable, snake_case */
      code: string;
      /** @description what is wrong, for people */
      message: string;
    };
    /**
     * @description a type of event
     * @example {
     *       "type": "division_created",
     *       "name": "Division created"
     *     }
     */
    AuditType: {
      /** @description slug, snake_case */
      type: string;
      /** @description the label that people read */
      name: string;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "type": "division_created",
     *           "name": "Division created",
     *           "author": {
     *             "id": 5,
     *             "name": "Ada Lovelace"
     *           },
     *           "user": null,
     *           "division": {
     *             "id": 12,
     *             "name": "Payments"
     *           },
     *           "environment": null,
     *           "deployment": null,
     *           "api_key": {
     *             "id": 21,
     *             "name": "deploy"
     *           },
     *           "data": {
     *             "name": "Payments"
     *           },
     *           "correlation_id": "6f1d0c9e-5b5b-4f0c-8a0f-3f1f1a2b3c4d",
     *           "timestamp": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    AuditEntryPage: {
      items: components['schemas']['AuditEntry'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description One event. Names are those that things had when it happened.
     * @example {
     *       "type": "division_created",
     *       "name": "Division created",
     *       "author": {
     *         "id": 5,
     *         "name": "Ada Lovelace"
     *       },
     *       "user": null,
     *       "division": {
     *         "id": 12,
     *         "name": "Payments"
     *       },
     *       "environment": null,
     *       "deployment": null,
     *       "api_key": {
     *         "id": 21,
     *         "name": "deploy"
     *       },
     *       "data": {
     *         "name": "Payments"
     *       },
     *       "correlation_id": "6f1d0c9e-5b5b-4f0c-8a0f-3f1f1a2b3c4d",
     *       "timestamp": "2026-03-14T09:26:53.589Z"
     *     }
     */
    AuditEntry: {
      /** @description event type slug */
      type: string;
      /** @description the type's label; the slug itself for a type that this version does not know */
      name: string;
      /** @description the user who did it; null for what the system did by itself */
      author: components['schemas']['NamedUser'] | null;
      /** @description the user whom it was done to */
      user: components['schemas']['NamedUser'] | null;
      /** @description the division that it happened in */
      division: components['schemas']['NamedDivision'] | null;
      /** @description the environment that it happened in */
      environment: components['schemas']['NamedEnvironment'] | null;
      /** @description the deployment that it happened to */
      deployment: components['schemas']['NamedDeployment'] | null;
      /** @description the key that the author used */
      api_key: components['schemas']['NamedApiKey'] | null;
      /** @description what belongs to events of this type; may be null */
      data: unknown;
      /**
       * Format: uuid
       * @description shared by all events of one request or workflow
       */
      correlation_id: string | null;
      timestamp: components['schemas']['Timestamp'];
      /** @description true for an event of a newer version of Sluice, whose type or data this version does not know: it stands here as it came, and is read as what it is after the upgrade; else absent */
      unvalidated?: boolean;
    };
    /**
     * @description whether a log is as it was recorded
     * @example {
     *       "intact": false,
     *       "break": {
     *         "seq": 1042,
     *         "reason": "changed"
     *       },
     *       "entries": 1041,
     *       "anchor": null,
     *       "last": {
     *         "seq": 1041,
     *         "hash": "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
     *       },
     *       "published_heads": {
     *         "agreed": 3,
     *         "refused": 0
     *       },
     *       "verified_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    AuditVerification: {
      /** @description whether nothing was found that does not fit */
      intact: boolean;
      /** @description the first entry that does not fit, if any */
      break: components['schemas']['AuditBreak'] | null;
      /** @description how many were verified */
      entries: number;
      /** @description the last of the entries that are gone with their retention, to which the oldest is chained; null while none are */
      anchor: components['schemas']['AuditHead'] | null;
      /** @description the last entry that fits, or the anchor; null for a log without any */
      last: components['schemas']['AuditHead'] | null;
      published_heads: components['schemas']['AuditPublishedHeads'];
      verified_at: components['schemas']['Timestamp'];
    };
    /**
     * @description an entry that does not fit
     * @example {
     *       "seq": 1042,
     *       "reason": "changed"
     *     }
     */
    AuditBreak: {
      /** @description its number in the tenant's log */
      seq: number;
      /**
       * @description `changed`: it does not say what its hash was taken over; `unlinked`: it is not chained to the one before it; `missing`: there is none of this number; `added`: there is one more than was recorded; `rewritten`: it fits its neighbours, and had another hash when it was published
       * @enum {string}
       */
      reason: 'changed' | 'unlinked' | 'missing' | 'added' | 'rewritten';
    };
    /**
     * @description an entry by its number and its hash
     * @example {
     *       "seq": 1041,
     *       "hash": "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
     *     }
     */
    AuditHead: {
      seq: number;
      /** @description SHA-256 in hex */
      hash: string;
    };
    /**
     * @description heads of the log that were published where the database is not
     * @example {
     *       "agreed": 3,
     *       "refused": 0
     *     }
     */
    AuditPublishedHeads: {
      /** @description how many agree with the log */
      agreed: number;
      /** @description how many are not signed by the audit service */
      refused: number;
    };
    /** @description A problem of status 400. */
    BadRequestProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter';
    };
    /** @description A problem of status 401. */
    UnauthenticatedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden';
    };
    /** @description A problem of status 429. */
    RateLimitedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited';
    };
    /** @description A problem of status 500. */
    InternalProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'internal';
    };
    /** @description A problem of status 503. */
    UnavailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unavailable' | 'database_busy' | 'tenant_busy';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'malformed_id';
    };
    /** @description A problem of status 404. */
    NotFoundProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'not_found';
    };
  };
  responses: {
    /** @description Any other problem */
    Problem: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     */
    BadRequest: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestProblem'];
      };
    };
    /** @description `unauthenticated`: The svc-api-key header is missing or its key is not valid. */
    Unauthenticated: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnauthenticatedProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     */
    ForbiddenPlace: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceProblem'];
      };
    };
    /** @description `rate_limited`: Too many requests; try again later. */
    RateLimited: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RateLimitedProblem'];
      };
    };
    /** @description `internal`: Something unexpected went wrong. The request id identifies it in the logs. */
    Internal: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['InternalProblem'];
      };
    };
    /**
     * @description `unavailable`: The service cannot answer right now; try again shortly.
     *
     *     `database_busy`: The database had no time for this; nothing was changed. Try again shortly.
     *
     *     `tenant_busy`: Too many changes of this tenant wait for each other; nothing was changed. Try again shortly.
     */
    Unavailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnavailableProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     */
    BadRequestPathId: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdProblem'];
      };
    };
    /** @description `not_found`: There is no such resource. */
    NotFound: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['NotFoundProblem'];
      };
    };
  };
  parameters: {
    /** @description the page, counted from 1; a page past the end is empty */
    Page: number;
    /** @description entries per page */
    Results: number;
    /** @description the tenant */
    TenantId: components['schemas']['TenantId'];
  };
  requestBodies: never;
  headers: {
    /** @description the id of the request, by which logs and the audit log know it */
    'svc-request': string;
    /** @description how many requests the caller can make at once after a quiet time */
    'RateLimit-Limit': number;
    /** @description how many of these are left */
    'RateLimit-Remaining': number;
    /** @description in how many seconds all of them are there again */
    'RateLimit-Reset': number;
    /** @description how many seconds to wait */
    'Retry-After': number;
    /** @description RFC 8288 links to the first, previous, next and last page */
    Link: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAuditTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all types */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "type": "division_created",
           *         "name": "Division created"
           *       }
           *     ]
           */
          'application/json': components['schemas']['AuditType'][];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['ForbiddenPlace'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      default: components['responses']['Problem'];
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description the earliest time that is listed */
        from?: components['schemas']['DateOrTime'];
        /** @description the time from which on nothing is listed */
        to?: components['schemas']['DateOrTime'];
        /** @description the user who did it */
        author?: components['schemas']['UserId'];
        /** @description the user whom it was done to */
        user?: components['schemas']['UserId'];
        /** @description the division that it happened in */
        division?: components['schemas']['DivisionId'];
        /** @description the environment that it happened in */
        environment?: components['schemas']['EnvironmentId'];
        /** @description the deployment that it happened to */
        deployment?: components['schemas']['DeploymentId'];
        /** @description event types of `/audit/types`, separated by commas; entries of any of them are listed */
        types?: string[];
        /** @description everything that one request or workflow has caused */
        correlation_id?: string;
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of entries */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "type": "division_created",
           *           "name": "Division created",
           *           "author": {
           *             "id": 5,
           *             "name": "Ada Lovelace"
           *           },
           *           "user": null,
           *           "division": {
           *             "id": 12,
           *             "name": "Payments"
           *           },
           *           "environment": null,
           *           "deployment": null,
           *           "api_key": {
           *             "id": 21,
           *             "name": "deploy"
           *           },
           *           "data": {
           *             "name": "Payments"
           *           },
           *           "correlation_id": "6f1d0c9e-5b5b-4f0c-8a0f-3f1f1a2b3c4d",
           *           "timestamp": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['AuditEntryPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      default: components['responses']['Problem'];
    };
  };
  verifyAuditLog: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description what was found */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "intact": false,
           *       "break": {
           *         "seq": 1042,
           *         "reason": "changed"
           *       },
           *       "entries": 1041,
           *       "anchor": null,
           *       "last": {
           *         "seq": 1041,
           *         "hash": "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
           *       },
           *       "published_heads": {
           *         "agreed": 3,
           *         "refused": 0
           *       },
           *       "verified_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['AuditVerification'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      default: components['responses']['Problem'];
    };
  };
}
