// Connects with the official TypeScript client, in one era of the protocol, and
// calls every tool with the first example of each of its properties. One line
// of JSON per step:
//
//   node client.mjs <url> <token> <modern|legacy>
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, token, era] = process.argv.slice(2);
const print = (step) => console.log(JSON.stringify(step));

const client = new Client(
  { name: 'flow-test', version: '1.0.0' },
  { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: { Authorization: `Bearer ${token}` } },
}));
print({ version: client.getNegotiatedProtocolVersion() });

const { tools } = await client.listTools();
for (const { name, inputSchema } of tools) {
  const args = Object.fromEntries(
    Object.entries(inputSchema.properties).map(([property, { examples }]) => [property, examples[0]]),
  );
  const { isError = false, structuredContent } = await client.callTool({ name, arguments: args });
  print({ tool: name, isError, structuredContent });
}

const failure = await client.callTool({ name: 'consultar_cliente', arguments: { documento: '404' } });
print({ tool: 'failure', isError: failure.isError, structuredContent: failure.structuredContent });
await client.close();
