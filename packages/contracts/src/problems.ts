/**
 * Every error code that an API of Sluice answers with (interface, section 7). `docs/errors.md` lists them from here.
 * `detail` is the default text; the place that raises the problem may say it more precisely.
 */
export const problems = {
  // 400
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'Some fields of the request are not valid.',
  },
  unknown_field: {
    status: 400,
    title: 'Unknown field',
    detail: 'The body has a field that this operation does not know.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown parameter',
    detail: 'The query has a parameter that this operation does not know.',
  },
  malformed_json: { status: 400, title: 'Malformed JSON', detail: 'The body is not valid JSON in UTF-8.' },
  body_required: { status: 400, title: 'Body required', detail: 'This operation needs a JSON body.' },
  body_too_complex: {
    status: 400,
    title: 'Body too complex',
    detail: 'The body is nested too deeply or has too many values.',
  },
  malformed_id: {
    status: 400,
    title: 'Malformed id',
    detail: 'An id in the path is not written as digits alone, up to 2^63-1.',
  },
  malformed_request: { status: 400, title: 'Malformed request', detail: 'The request could not be read.' },
  signature_invalid: {
    status: 400,
    title: 'Signature invalid',
    detail: 'The event is not signed by the payment provider, or is too old.',
  },
  protection_code_required: {
    status: 400,
    title: 'Protection code required',
    detail: 'The resource is protected; deleting it needs a one-time code.',
  },
  protection_code_invalid: {
    status: 400,
    title: 'Protection code invalid',
    detail: 'The one-time code is wrong, used or too old.',
  },
  cluster_not_available: {
    status: 400,
    title: 'Cluster mode not available',
    detail: 'Cluster mode is not available on this installation.',
  },
  tenant_has_no_email_domain: {
    status: 400,
    title: 'Tenant has no e-mail domain',
    detail: 'The lock flags need a claimed e-mail domain.',
  },
  sign_in_failed: {
    status: 400,
    title: 'Sign-in failed',
    detail:
      'The identity provider did not vouch for anybody, or the sign-in was begun elsewhere. Begin again.',
  },
  // of RFC 8628, section 3.5
  authorization_pending: {
    status: 400,
    title: 'Authorization pending',
    detail: 'The person has not decided yet. Ask again after the interval.',
  },
  slow_down: {
    status: 400,
    title: 'Slow down',
    detail: 'The question came too early. From now on, wait five seconds longer between two of them.',
  },
  expired_token: {
    status: 400,
    title: 'Code expired',
    detail: 'The code is unknown, used or too old. Begin to sign in again.',
  },
  access_denied: {
    status: 400,
    title: 'Access denied',
    detail: 'The person has refused the sign-in, or has ended the session again.',
  },
  owner_cannot_leave: {
    status: 400,
    title: 'Owner cannot leave',
    detail: 'The owner of a tenant cannot leave it.',
  },
  member_is_owner: {
    status: 400,
    title: 'Member is the owner',
    detail: "The tenant's owner cannot be changed or removed.",
  },
  member_is_self: {
    status: 400,
    title: 'Member is the caller',
    detail: 'Members cannot change or remove themselves; a membership is left at the account.',
  },
  already_member: {
    status: 400,
    title: 'Already a member',
    detail: 'A member of the tenant has this e-mail address.',
  },
  already_invited: {
    status: 400,
    title: 'Already invited',
    detail: 'An invitation to this e-mail address is waiting for its answer.',
  },
  outside_email_domain: {
    status: 400,
    title: 'Outside the e-mail domain',
    detail: 'The tenant invites only people of its own e-mail domain.',
  },
  email_domain_locked: {
    status: 400,
    title: 'E-mail domain locked',
    detail: 'The tenant that owns this e-mail domain allows no other tenant to invite its people.',
  },
  cidr_overlap: {
    status: 400,
    title: 'Networks overlap',
    detail: "The block overlaps the deployment's subnet or the block of another peering of it.",
  },
  external_id_not_own: {
    status: 400,
    title: 'External id of another tenant',
    detail: "The external id is not the tenant's own: take the one that the setup shows.",
  },
  // 401
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    detail: 'The svc-api-key header is missing or its key is not valid.',
  },
  credential_frozen: {
    status: 401,
    title: 'Frozen',
    detail: 'The key or session is frozen after a restore until the operator has decided about it.',
  },
  enrolment_token_invalid: {
    status: 401,
    title: 'Enrolment token invalid',
    detail: 'The enrolment token is unknown or too old.',
  },
  // 403
  forbidden: {
    status: 403,
    title: 'Not permitted',
    detail: 'The key is valid but lacks the permission for this operation.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    detail: 'The key may not be used from this address.',
  },
  owner_only: { status: 403, title: 'Owner only', detail: 'Only the owner of the tenant may do this.' },
  privilege_escalation: {
    status: 403,
    title: 'Privilege escalation',
    detail: 'Callers cannot grant or take away permissions that they do not hold.',
  },
  feature_not_available: {
    status: 403,
    title: 'Feature not available',
    detail: "The tenant's plan does not have this feature.",
  },
  system_role: { status: 403, title: 'System role', detail: 'System roles cannot be changed or deleted.' },
  enrolment_token_used: {
    status: 403,
    title: 'Enrolment token used',
    detail: 'An agent with another key has enrolled with this token.',
  },
  link_invalid: {
    status: 403,
    title: 'Link invalid',
    detail: 'The link is not valid, or its time is over. Ask for another one.',
  },
  session_required: {
    status: 403,
    title: 'Session required',
    detail: 'This is for people who are signed in; an API key cannot do it.',
  },
  csrf_token_invalid: {
    status: 403,
    title: 'CSRF token invalid',
    detail: 'A write of a session needs the x-csrf-token header with the token that GET /account tells.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    detail: 'The console answers its own pages only, and this request was made by a page of another site.',
  },
  email_not_verified: {
    status: 403,
    title: 'E-mail address not verified',
    detail: 'The identity provider does not say that the e-mail address is verified.',
  },
  address_not_admitted: {
    status: 403,
    title: 'Address not admitted',
    detail: "No access rule of the deployment admits the caller's address to broker_websocket.",
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    detail: 'A page of another origin may not open a session with a broker.',
  },
  // 404
  not_found: { status: 404, title: 'Not found', detail: 'There is no such resource.' },
  unknown_path: {
    status: 404,
    title: 'Unknown path',
    detail: 'There is no such path; the OpenAPI document lists them.',
  },
  // 410
  invitation_expired: {
    status: 410,
    title: 'Invitation expired',
    detail: 'The invitation was not accepted in time; ask for another one.',
  },
  invitation_withdrawn: {
    status: 410,
    title: 'Invitation withdrawn',
    detail: 'The member who made the invitation no longer holds what it grants; ask for another one.',
  },
  // 405, 408, 413, 415, 431
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'The path exists, but not with this method.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    detail: 'The request did not arrive in time.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    detail: 'The body is larger than this operation takes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The body has to be JSON: send Content-Type: application/json.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The address and the headers of the request are too large together.',
  },
  // 409
  name_taken: { status: 409, title: 'Name taken', detail: 'Another resource already has this name.' },
  account_exists: {
    status: 409,
    title: 'Account exists',
    detail: 'There is an account of this identity or e-mail address already.',
  },
  domain_claimed: {
    status: 409,
    title: 'Domain claimed',
    detail: 'Another tenant has claimed the domain of this e-mail address.',
  },
  connector_not_available: {
    status: 409,
    title: 'Connector not available',
    detail: 'The connectors runtime of the deployment does not have this connector.',
  },
  limit_reached: { status: 409, title: 'Limit reached', detail: "A limit of the tenant's plan is reached." },
  payment_method_required: {
    status: 409,
    title: 'Payment method required',
    detail: 'The tenant has no valid payment method; only the tier free needs none.',
  },
  payment_overdue: {
    status: 409,
    title: 'Payment overdue',
    detail: 'Invoices of the tenant are overdue; what costs more has to wait until they are paid.',
  },
  billing_not_settled: {
    status: 409,
    title: 'Billing not settled',
    detail: 'The tenant owes an amount, or has usage that is not invoiced yet.',
  },
  payments_not_available: {
    status: 409,
    title: 'Payments not available',
    detail: 'The installation has no payment provider.',
  },
  too_many_payment_intents: {
    status: 409,
    title: 'Too many payment intents',
    detail: 'Several pages for a card are open already; use one of them, or wait until they expire.',
  },
  tenant_suspended: {
    status: 409,
    title: 'Tenant suspended',
    detail: 'The operator has suspended the tenant.',
  },
  role_in_use: {
    status: 409,
    title: 'Role in use',
    detail: 'An API key has this role; delete the key first.',
  },
  contains_protected: {
    status: 409,
    title: 'Contains something protected',
    detail: 'Something in the resource is protected; lower its protection first.',
  },
  config_is_primary: {
    status: 409,
    title: 'Configuration is primary',
    detail: 'The primary configuration cannot be deleted; activate another one first.',
  },
  has_deployments: { status: 409, title: 'Has deployments', detail: 'Delete the deployments first.' },
  state_conflict: {
    status: 409,
    title: 'State conflict',
    detail: 'The resource is in a state that does not allow this.',
  },
  changed_meanwhile: {
    status: 412,
    title: 'Changed meanwhile',
    detail:
      'The resource is not what If-Match names any more, or is there already. Read it again, and decide anew.',
  },
  managed_only: {
    status: 409,
    title: 'For managed deployments only',
    detail: 'Deployments in cloud accounts of tenants are connected there, by their owners.',
  },
  cloud_mismatch: {
    status: 409,
    title: 'Another cloud',
    detail: 'The deployment is on the other cloud.',
  },
  operation_in_progress: {
    status: 409,
    title: 'Operation in progress',
    detail: 'Another operation of this kind is going on; wait for its end.',
  },
  backup_in_progress: {
    status: 409,
    title: 'Backup in progress',
    detail: 'The backup has not ended yet; delete it then.',
  },
  backups_unavailable: {
    status: 409,
    title: 'Backups unavailable',
    detail: 'There are backups of deployments in cloud_a on network storage only, in regions that keep them.',
  },
  rotation_requires_standalone: {
    status: 409,
    title: 'Rotation needs a standalone deployment',
    detail: 'The key for the stored data of a cluster cannot be rotated.',
  },
  upgrade_requires_cluster: {
    status: 409,
    title: 'Upgrade needs a cluster',
    detail: 'What stands on local storage cannot be upgraded on a single node.',
  },
  extend_requires_cluster: {
    status: 409,
    title: 'Extension needs a cluster',
    detail: 'Only a cluster can have further nodes; the deployment is standalone.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    detail: 'The Idempotency-Key was used for another request.',
  },
  idempotent_request_in_progress: {
    status: 409,
    title: 'Request in progress',
    detail: 'The first request with this Idempotency-Key is still running.',
  },
  idempotent_answer_lost: {
    status: 409,
    title: 'Answer lost',
    detail:
      'The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.',
  },
  // 429
  rate_limited: { status: 429, title: 'Too many requests', detail: 'Too many requests; try again later.' },
  protection_code_throttled: {
    status: 429,
    title: 'Protection code throttled',
    detail: 'A one-time code for this was sent a moment ago; try again later.',
  },
  channel_test_throttled: {
    status: 429,
    title: 'Channel tested too soon',
    detail: 'A channel can be tested once in ten seconds.',
  },
  too_many_exports: {
    status: 429,
    title: 'Too many exports',
    detail: 'As many logs are being exported as can be at a time; try again later.',
  },
  sink_test_throttled: {
    status: 429,
    title: 'Sink test throttled',
    detail: 'The sink was tried a moment ago; try again later.',
  },
  too_many_mails: {
    status: 429,
    title: 'Too many mails',
    detail: 'So many mails were sent to this address, or by this tenant, that no more can be sent for now.',
  },
  protection_locked: {
    status: 429,
    title: 'Deletion locked',
    detail: 'Too many wrong one-time codes were given; try again later.',
  },
  upgrade_required: {
    status: 426,
    title: 'WebSocket required',
    detail: 'This operation opens a WebSocket: the request has to ask for one.',
  },
  // 5xx
  internal: {
    status: 500,
    title: 'Internal error',
    detail: 'Something unexpected went wrong. The request id identifies it in the logs.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    detail: 'The service cannot answer right now; try again shortly.',
  },
  broker_unreachable: {
    status: 503,
    title: 'Broker unreachable',
    detail: 'The region cannot reach the broker of the deployment.',
  },
  database_busy: {
    status: 503,
    title: 'Database busy',
    detail: 'The database had no time for this; nothing was changed. Try again shortly.',
  },
  tenant_busy: {
    status: 503,
    title: 'Tenant busy',
    detail: 'Too many changes of this tenant wait for each other; nothing was changed. Try again shortly.',
  },
  deadline_exceeded: {
    status: 504,
    title: 'Deadline exceeded',
    detail:
      'The request took too long and was given up. It may have had its effect: read the resource, or send the request again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type ProblemCode = keyof typeof problems;

export interface FieldIssue {
  /** JSON pointer, led by where the value stands: `/body/name`, `/query/page`, `/path/tenant_id` */
  path: string;
  /** stable, snake_case */
  code: string;
  message: string;
}

/** RFC 9457 `application/problem+json`, with the extension members that Sluice's APIs carry. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  /** the request id, as in the `svc-request` header */
  instance: string;
  retryable: boolean;
  field_issues?: FieldIssue[];
  /** how many more there are */
  unlisted_issues?: number;
  [extension: string]: unknown;
}
