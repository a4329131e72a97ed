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
  '/audit/tenants/{tenant_id}/export': {
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
     * Export the entries of a tenant
     * @description All that satisfy every filter that is given, in the order in which they were recorded, up to what there is when it begins: as lines of
     *     JSON, or as CSV with a line of names. Each line has what its hash is taken over, so the file can be verified without Sluice
     *     (`verify-audit-export`, with `--partial` where it was filtered). In CSV each text is in quotation marks, and no
     *     spreadsheet program finds a formula in it, whichever separators it expects: where a text or its part behind `;`, a tab or a line break begins
     *     with a formula, or with `'`, a `'` precedes it. Without the `'` in these places it is the text as it was.
     *
     *     It can take long, and is cut where a client takes nothing for half a minute, where its right ends, and where the service does. An
     *     export that was cut goes on with `after`: the `seq` of the last whole line. Two at a time of a tenant, on each replica.
     *
     *     Needs a plan with `audit_export_enabled`. With `division=<id>`, `audit:read` in that division is enough, as for the list.
     */
    get: operations['exportAuditLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit/tenants/{tenant_id}/sink': {
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
     * Get the sink of a tenant
     * @description With how far it has come and what it said last. What opens it is `***`.
     */
    get: operations['getAuditSink'];
    /**
     * Say where the log is sent
     * @description Takes the place of what was said before, whole, and goes on behind the last entry that was taken, unless `start` says otherwise. `***` keeps a secret that is stored, as long as the destination stays the same: `url` and `tls_ca`; of a bucket `endpoint`, `region`, `bucket`, `path_style`, `access_key_id` and `tls_ca`. Else it is refused with `nothing_stored`. Needs `audit:read` as well, since it shows the whole log to whoever reads the sink, and a plan with `audit_export_enabled`: without it nothing is sent, and what waits is sent later.
     */
    put: operations['putAuditSink'];
    post?: never;
    /**
     * Have the log sent no more
     * @description What was sent stays where it is. Its settings are deleted.
     */
    delete: operations['deleteAuditSink'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit/tenants/{tenant_id}/sink/test': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try a sink
     * @description Sends something that is no entry, at once and once: by HTTPS a request with `svc-audit-test: true` and one line whose `type` is `audit_sink_test`, to a bucket an object `sluice-test.ndjson.gz`. Also while the sink is not enabled. Once in 10 s.
     */
    post: operations['testAuditSink'];
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
     *     were published, and names the first entry that does not fit. It takes time by the length of the log; there is one
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
     * @description where the log is sent; exactly one of `https` and `s3`
     * @example {
     *       "https": {
     *         "url": "https://siem.example.com/services/collector/raw",
     *         "headers": {
     *           "Authorization": "Splunk 3f1f1a2b-5b5b-4f0c-8a0f-0d9b6c5a4e3d"
     *         },
     *         "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
     *       }
     *     }
     */
    AuditSinkInput: {
      /**
       * @description whether entries are sent; what waits meanwhile is sent later, if it is still there
       * @default true
       */
      enabled: boolean;
      /**
       * @description how long new entries may wait for others, so that they are sent together
       * @default 10
       */
      interval_seconds: number;
      /**
       * @description with which entry it begins: the oldest that is there, or the next one. Without it a sink that is there goes on, and a new one begins with the next.
       * @enum {string}
       */
      start?: 'beginning' | 'now';
      https?: components['schemas']['HttpsSinkSettings'];
      s3?: components['schemas']['S3SinkSettings'];
    };
    /** @description a server that takes entries by POST, some at a time, oldest first */
    HttpsSinkSettings: {
      /** @description an address by https, without a login in it */
      url: string;
      /**
       * @description a line of JSON for each entry, or one array of them
       * @default ndjson
       * @enum {string}
       */
      format: 'ndjson' | 'json';
      /** @description headers of each request, such as `Authorization`; their values are kept secret */
      headers?: {
        [key: string]: string;
      };
      /** @description a key, `whsec_` and base64 of at least 24 bytes, by which each request is signed as Standard Webhooks has it: `webhook-id`, `webhook-timestamp`, `webhook-signature`. The id is the same when the same entries come again. */
      signing_secret?: string | null;
      tls_ca?: components['schemas']['SinkAuthority'];
    };
    /** @description a bucket with the API of S3, in which each object is a gzip of lines and named after the first entry in it */
    S3SinkSettings: {
      /** @description the address of the storage by https; null for that of AWS */
      endpoint?: string | null;
      /**
       * @description of the bucket
       * @default us-east-1
       */
      region: string;
      /** @description which has to be there */
      bucket: string;
      /**
       * @description what the names of objects begin with
       * @default
       */
      prefix: string;
      /**
       * @description whether the bucket is in the path and not in the name of the server
       * @default false
       */
      path_style: boolean;
      access_key_id: string;
      secret_access_key: string;
      tls_ca?: components['schemas']['SinkAuthority'];
    };
    /** @description certificates in PEM form to trust in place of the well-known ones */
    SinkAuthority: string | null;
    /** @description where a tenant's log is sent, and how that goes */
    AuditSink: {
      /** @enum {string} */
      kind: 'https' | 's3';
      enabled: boolean;
      interval_seconds: number;
      https?: components['schemas']['HttpsSinkSettings'];
      s3?: components['schemas']['S3SinkSettings'];
      status: components['schemas']['AuditSinkStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /** @description how far it has come */
    AuditSinkStatus: {
      /**
       * @description `active`; `failing` while it does not take what it is sent, which is tried again in growing pauses; `disabled` by the tenant; `suspended` while the plan does not have `audit_export_enabled`
       * @enum {string}
       */
      state: 'active' | 'failing' | 'disabled' | 'suspended';
      /** @description `seq` of the last entry that it has taken; 0 for none */
      position: number;
      /** @description entries that wait for it */
      behind: number;
      /** @description when the oldest of them was recorded */
      oldest_waiting_at: components['schemas']['Timestamp'] | null;
      /** @description entries that it has taken */
      delivered: number;
      /** @description entries whose retention was over before it took them */
      missed: number;
      /** @description attempts in a row that have failed */
      failures: number;
      /** @description since when */
      failing_since: components['schemas']['Timestamp'] | null;
      /** @description when it is tried again, where it is failing */
      next_attempt_at: components['schemas']['Timestamp'] | null;
      /** @description when it took entries last */
      last_delivery_at: components['schemas']['Timestamp'] | null;
      /** @description why it last failed */
      last_error: string | null;
      /** @description when that was */
      last_error_at: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description what came of a trial
     * @example {
     *       "taken": false,
     *       "reason": "The server answered 401: invalid token"
     *     }
     */
    AuditSinkTest: {
      /** @description whether the sink took it */
      taken: boolean;
      /** @description why it did not */
      reason: string | null;
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
     *         "refused": 0,
     *         "missing": null
     *       },
     *       "database_restored_at": null,
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
      /** @description when the service last found its database restored from a copy or taken over by another server; null for never. The database says so itself, so it explains a break and excuses none: what a restored log has lost, and reads again where it can, has to have the hashes that were published before */
      database_restored_at: components['schemas']['Timestamp'] | null;
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
      /** @description its number in the tenant's log; below 1 for one that was added before the first */
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
     *       "refused": 0,
     *       "missing": null
     *     }
     */
    AuditPublishedHeads: {
      /** @description how many agree with the log */
      agreed: number;
      /** @description how many are not signed by the audit service */
      refused: number;
      /** @description the newest published head whose entry the log ends before, such as after a restore of the database from an older copy; null if there is none. A log with a missing head is not intact */
      missing: components['schemas']['AuditHead'] | null;
    };
    /** @description A problem of status 400. */
    BadRequestProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter';
    };
    /** @description A problem of status 401. */
    UnauthorizedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated' | 'credential_frozen';
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
    /** @description A problem of status 504. */
    DeadlineExceededProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'deadline_exceeded';
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
    /** @description A problem of status 403. */
    ForbiddenPlaceFeatureNotAvailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'feature_not_available';
    };
    /** @description A problem of status 429. */
    TooManyRequestsTooManyExportsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'too_many_exports';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteFeatureNotAvailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'feature_not_available';
    };
    /** @description A problem of status 408. */
    RequestTimeoutProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'request_timeout';
    };
    /** @description A problem of status 409. */
    ConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'idempotency_key_reused' | 'idempotent_request_in_progress' | 'idempotent_answer_lost';
    };
    /** @description A problem of status 413. */
    PayloadTooLargeProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'payload_too_large';
    };
    /** @description A problem of status 415. */
    UnsupportedMediaTypeProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unsupported_media_type';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid';
    };
    /** @description A problem of status 429. */
    TooManyRequestsSinkTestThrottledProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'sink_test_throttled';
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
    /**
     * @description `unauthenticated`: The svc-api-key header is missing or its key is not valid.
     *
     *     `credential_frozen`: The key or session is frozen after a restore until the operator has decided about it.
     */
    Unauthorized: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnauthorizedProblem'];
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
    /** @description `deadline_exceeded`: The request took too long and was given up. It may have had its effect: read the resource, or send the request again with the same Idempotency-Key. */
    DeadlineExceeded: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['DeadlineExceededProblem'];
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
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `feature_not_available`: The tenant's plan does not have this feature.
     */
    ForbiddenPlaceFeatureNotAvailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceFeatureNotAvailableProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `too_many_exports`: As many logs are being exported as can be at a time; try again later.
     */
    TooManyRequestsTooManyExports: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsTooManyExportsProblem'];
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
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     */
    BadRequestPathIdBody: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     *
     *     `feature_not_available`: The tenant's plan does not have this feature.
     */
    ForbiddenPlaceWriteFeatureNotAvailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteFeatureNotAvailableProblem'];
      };
    };
    /** @description `request_timeout`: The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RequestTimeoutProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     */
    Conflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictProblem'];
      };
    };
    /** @description `payload_too_large`: The body is larger than this operation takes. */
    PayloadTooLarge: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['PayloadTooLargeProblem'];
      };
    };
    /** @description `unsupported_media_type`: The body has to be JSON: send Content-Type: application/json. */
    UnsupportedMediaType: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     */
    ForbiddenPlaceWrite: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `sink_test_throttled`: The sink was tried a moment ago; try again later.
     */
    TooManyRequestsSinkTestThrottled: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsSinkTestThrottledProblem'];
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
    /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
    IdempotencyKey: string;
    /** @description the earliest time that is listed */
    AuditFrom: components['schemas']['DateOrTime'];
    /** @description the time from which on nothing is listed */
    AuditTo: components['schemas']['DateOrTime'];
    /** @description the user who did it */
    AuditAuthor: components['schemas']['UserId'];
    /** @description the user whom it was done to */
    AuditUser: components['schemas']['UserId'];
    /** @description the division that it happened in */
    AuditDivision: components['schemas']['DivisionId'];
    /** @description the environment that it happened in */
    AuditEnvironment: components['schemas']['EnvironmentId'];
    /** @description the deployment that it happened to */
    AuditDeployment: components['schemas']['DeploymentId'];
    /** @description event types of `/audit/types`, separated by commas; entries of any of them are listed */
    AuditTypes: string[];
    /** @description everything that one request or workflow has caused */
    AuditCorrelationId: string;
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
    /** @description present when this is the answer to an earlier request with the same `Idempotency-Key` */
    'idempotent-replayed': 'true';
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
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        from?: components['parameters']['AuditFrom'];
        /** @description the time from which on nothing is listed */
        to?: components['parameters']['AuditTo'];
        /** @description the user who did it */
        author?: components['parameters']['AuditAuthor'];
        /** @description the user whom it was done to */
        user?: components['parameters']['AuditUser'];
        /** @description the division that it happened in */
        division?: components['parameters']['AuditDivision'];
        /** @description the environment that it happened in */
        environment?: components['parameters']['AuditEnvironment'];
        /** @description the deployment that it happened to */
        deployment?: components['parameters']['AuditDeployment'];
        /** @description event types of `/audit/types`, separated by commas; entries of any of them are listed */
        types?: components['parameters']['AuditTypes'];
        /** @description everything that one request or workflow has caused */
        correlation_id?: components['parameters']['AuditCorrelationId'];
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
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  exportAuditLog: {
    parameters: {
      query?: {
        /** @description of the lines */
        format?: 'ndjson' | 'csv';
        /** @description only entries behind the one with this `seq` */
        after?: number;
        /** @description the earliest time that is listed */
        from?: components['parameters']['AuditFrom'];
        /** @description the time from which on nothing is listed */
        to?: components['parameters']['AuditTo'];
        /** @description the user who did it */
        author?: components['parameters']['AuditAuthor'];
        /** @description the user whom it was done to */
        user?: components['parameters']['AuditUser'];
        /** @description the division that it happened in */
        division?: components['parameters']['AuditDivision'];
        /** @description the environment that it happened in */
        environment?: components['parameters']['AuditEnvironment'];
        /** @description the deployment that it happened to */
        deployment?: components['parameters']['AuditDeployment'];
        /** @description event types of `/audit/types`, separated by commas; entries of any of them are listed */
        types?: components['parameters']['AuditTypes'];
        /** @description everything that one request or workflow has caused */
        correlation_id?: components['parameters']['AuditCorrelationId'];
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
      /** @description the entries */
      200: {
        headers: {
          /** @description a name for the file */
          'content-disposition'?: string;
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequestsTooManyExports'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getAuditSink: {
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
      /** @description the sink */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditSink'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  putAuditSink: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "https": {
         *         "url": "https://siem.example.com/services/collector/raw",
         *         "headers": {
         *           "Authorization": "Splunk 3f1f1a2b-5b5b-4f0c-8a0f-0d9b6c5a4e3d"
         *         },
         *         "signing_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *       }
         *     }
         */
        'application/json': components['schemas']['AuditSinkInput'];
      };
    };
    responses: {
      /** @description stored */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteAuditSink: {
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
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  testAuditSink: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description what came of it */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "taken": false,
           *       "reason": "The server answered 401: invalid token"
           *     }
           */
          'application/json': components['schemas']['AuditSinkTest'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequestsSinkTestThrottled'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
           *         "refused": 0,
           *         "missing": null
           *       },
           *       "database_restored_at": null,
           *       "verified_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['AuditVerification'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      default: components['responses']['Problem'];
    };
  };
}
