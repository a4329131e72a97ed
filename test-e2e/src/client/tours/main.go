// The tour of packages/client/README.md, with clients that oapi-codegen has generated from the documents.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.org/tour/audit"
	"example.org/tour/mainapi"
	"example.org/tour/supervisor"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func number(name string) int64 { return must(strconv.ParseInt(os.Getenv(name), 10, 64)) }

func authenticated(_ context.Context, request *http.Request) error {
	request.Header.Set("svc-api-key", os.Getenv("SLUICE_API_KEY"))
	return nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	tenant, division := number("TENANT"), number("DIVISION")
	api := must(mainapi.NewClientWithResponses(os.Getenv("SLUICE_URL"), mainapi.WithRequestEditorFn(authenticated)))
	log_ := must(audit.NewClientWithResponses(os.Getenv("SLUICE_AUDIT_URL"), audit.WithRequestEditorFn(authenticated)))

	starter := mainapi.StarterDeploymentInput{Cloud: mainapi.CloudA, Region: "us-east-1"}
	created := must(api.CreateStarterDeploymentWithResponse(ctx, tenant, division, &mainapi.CreateStarterDeploymentParams{}, starter)).JSON202
	if created == nil {
		log.Fatal("the deployment was not created")
	}
	region := must(supervisor.NewClientWithResponses(created.SupervisorUrl, supervisor.WithRequestEditorFn(authenticated)))
	wait := supervisor.PreferWait("wait=10")
	live := must(region.GetDeploymentWithResponse(ctx, created.Id, &supervisor.GetDeploymentParams{Prefer: &wait})).JSON200
	for live == nil || live.Status != "initialized" {
		time.Sleep(200 * time.Millisecond)
		live = must(region.GetDeploymentWithResponse(ctx, created.Id, &supervisor.GetDeploymentParams{Prefer: &wait})).JSON200
	}
	fmt.Println(live.Status)
	fmt.Println(len(live.Nodes), *live.Endpoints.BrokerTcp)
	fmt.Println(must(region.GetTenantSummaryWithResponse(ctx, tenant, nil)).JSON200.HealthyDeployments >= 1)

	refused := must(api.CreateDivisionWithResponse(ctx, tenant, &mainapi.CreateDivisionParams{}, mainapi.DivisionInput{Name: ""}))
	problem := refused.ApplicationproblemJSON400
	fmt.Println(refused.StatusCode(), problem.Code, (*problem.FieldIssues)[0].Path)
	once := "tour-go"
	params := &mainapi.CreateDivisionParams{IdempotencyKey: &once}
	made := must(api.CreateDivisionWithResponse(ctx, tenant, params, mainapi.DivisionInput{Name: "go"}))
	again := must(api.CreateDivisionWithResponse(ctx, tenant, params, mainapi.DivisionInput{Name: "go"}))
	fmt.Println(again.HTTPResponse.Header.Get("idempotent-replayed"), again.JSON201.Id == made.JSON201.Id)
	fmt.Println(must(api.DeleteDivisionWithResponse(ctx, tenant, made.JSON201.Id, &mainapi.DeleteDivisionParams{})).StatusCode())

	found := false
	for page, results := 1, 50; ; page++ {
		entries := must(log_.ListAuditEntriesWithResponse(ctx, tenant, &audit.ListAuditEntriesParams{Page: &page, Results: &results})).JSON200
		for _, entry := range entries.Items {
			found = found || entry.Type == "deployment_created"
		}
		if page >= entries.TotalPages {
			break
		}
	}
	fmt.Println(found)
}
