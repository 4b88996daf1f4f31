/** The operator's module, which a server process loads with `--import`. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const processor = new BatchSpanProcessor(new OTLPTraceExporter());
new NodeTracerProvider({ spanProcessors: [processor] }).register();
