/**
 * `node:http`, for whoever needs its values. An `import` of the module reads all that it exports, Node's WebSocket among them, and that
 * loads undici: 30 ms and 12 MiB in each process, for nothing.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");
