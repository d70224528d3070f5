// A server of the official TypeScript SDK as its documentation shows how to
// write one. It prints its address.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

let created = 0;
const order = z.object({ code: z.string(), arrives: z.string() });
const answer = (data) => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool('get_order', {
    description: 'Get an order by its code', inputSchema: z.object({ code: z.string() }), outputSchema: order,
    annotations: { readOnlyHint: true },
  }, async ({ code }) => {
    if (code !== 'prueba') throw new Error(`order ${code} not found`); // what is made up where only the schema is known
    return answer({ code, arrives: '2030-03-14' });
  });
  server.registerTool('create_order', {
    description: 'Create an order of a product', inputSchema: z.object({ product: z.string() }), outputSchema: order,
  }, async () => answer({ code: `P-${++created}`, arrives: '2030-03-14' }));
  return server;
});

const http = createServer(toNodeHandler(handler));
http.listen(0, '127.0.0.1', () => console.log(`MCP http://127.0.0.1:${http.address().port}/mcp`));
process.on('SIGTERM', () => { http.close(() => process.exit(0)); http.closeAllConnections(); });
