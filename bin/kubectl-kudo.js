#!/usr/bin/env node
// Made by `npm run generate`: `kubectl kudo …` is `reveille kudo …`, on the cluster that kubectl asks.
process.env.REVEILLE_KUBECTL = "true";
process.argv.splice(2, 0, "kudo");
await import("./reveille.js");
