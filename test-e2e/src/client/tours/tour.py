"""The tour of packages/client/README.md, with clients that openapi-python-client has generated from the documents."""

import os
import time

from audit.api.audit_log import list_audit_entries
from audit.client import AuthenticatedClient as AuditClient
from main_api.api.deployments import create_starter_deployment
from main_api.api.divisions import create_division, delete_division
from main_api.client import AuthenticatedClient
from main_api.models import Cloud, DivisionInput, StarterDeploymentInput
from supervisor.api.live_state import get_deployment
from supervisor.api.summaries import get_tenant_summary
from supervisor.client import AuthenticatedClient as SupervisorClient

key = {"token": os.environ["SLUICE_API_KEY"], "prefix": "", "auth_header_name": "svc-api-key", "timeout": 60}
tenant, division = int(os.environ["TENANT"]), int(os.environ["DIVISION"])
main = AuthenticatedClient(base_url=os.environ["SLUICE_URL"], **key)
audit = AuditClient(base_url=os.environ["SLUICE_AUDIT_URL"], **key)

starter = StarterDeploymentInput(cloud=Cloud.CLOUD_A, region="us-east-1")
created = create_starter_deployment.sync(tenant, division, client=main, body=starter)
supervisor = SupervisorClient(base_url=created.supervisor_url, **key)
end = time.monotonic() + 180
while (live := get_deployment.sync_detailed(created.id, client=supervisor, prefer="wait=10")).status_code != 200 or (
    live.parsed.status != "initialized"
):
    if time.monotonic() > end:
        raise SystemExit(f"not initialized: {live.content}")
    time.sleep(0.2)
print(live.parsed.status)
print(len(live.parsed.nodes), live.parsed.endpoints.broker_tcp)
print(get_tenant_summary.sync(tenant, client=supervisor).healthy_deployments >= 1)

refused = create_division.sync_detailed(tenant, client=main, body=DivisionInput(name=""))
print(int(refused.status_code), refused.parsed.code, refused.parsed.field_issues[0].path)
made = create_division.sync(tenant, client=main, body=DivisionInput(name="python"), idempotency_key="tour-python")
again = create_division.sync_detailed(tenant, client=main, body=DivisionInput(name="python"), idempotency_key="tour-python")
print(again.headers["idempotent-replayed"], again.parsed.id == made.id)
print(int(delete_division.sync_detailed(tenant, made.id, client=main).status_code))

types, page = set(), 1
while entries := list_audit_entries.sync(tenant, client=audit, page=page, results=50).items:
    types.update(entry.type_ for entry in entries)
    page += 1
print("deployment_created" in types)
