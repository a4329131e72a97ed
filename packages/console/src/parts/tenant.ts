import { useParams } from '@tanstack/react-router';

/** The tenant of the page, from its address. Only below `/t/$tenantId`. */
export function useTenantId(): number {
  const { tenantId } = useParams({ strict: false }) as { tenantId?: number | string };
  return Number(tenantId);
}
