/** `limited_until` of a deployment whose tenant is suspended: later than any month, and ended by the operator alone. */
export const suspension = new Date('9999-01-01T00:00:00Z');
