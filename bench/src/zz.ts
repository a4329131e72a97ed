import { followLogs } from '/work/h2/integ/bench/src/cli/followed-logs.ts';
const r = await followLogs('/work/h2/integ/packages/cli/dist/sluice.js', {...process.env, SLUICE_CONFIG_DIR: "/tmp/flc", SLUICE_API_KEY: "svc_bench", HOME: "/tmp"} as any);
console.log(r.memory.map(m=>(m/2**20).toFixed(0)), r.shown);
