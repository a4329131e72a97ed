// An agent that never says anything: for tests that speak in its place, or need one that does not come up.
setInterval(() => undefined, 60_000);
