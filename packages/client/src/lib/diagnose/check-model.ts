import {
  type Finding,
  failedFinding,
  matchingText,
  okFinding,
  skippedFindingFor,
} from './findings.ts';

/**
 * Checks whether the last call of the agent's model failed, according to the stream check.
 *
 * @param stream The received part of the stream.
 */
export function checkModel(stream: string): Finding {
  const data = /^data: (.*)$/m.exec(stream)?.[1];
  if (!data) return skippedFindingFor('streaming');
  const { model } = parseMessage(data);
  if (!model) return okFinding('The platform knows of no failed call of the agent’s model.');
  const { failed_at, kind, status } = Object(model);
  const failedAt = matchingText(String(failed_at), /^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z$/);
  const facts = {
    ...(failedAt && { failedAt }),
    ...(Number.isInteger(status) && { status: status as number }),
  };
  const [failure, remedy] = explain(kind, facts.status);
  return failedFinding(
    `The last call of the agent’s model failed: ${failure}. Users see “The assistant couldn’t answer.”`,
    `${remedy} The line “model call failed” in the platform’s log names the agent, the model, its URL and the error.`,
    facts,
  );
}

function parseMessage(data: string): { model?: unknown } {
  try {
    return Object(JSON.parse(data));
  } catch {
    return {};
  }
}

/** Returns what happened, and the remedy. */
function explain(kind: unknown, status = 0): readonly [failure: string, remedy: string] {
  switch (kind) {
    case 'http_error':
      return [`the model responded with ${status}`, remedyFor(status)];
    case 'network':
      return [
        'the model could not be reached, or the connection was lost',
        'Check that the server of the model runs, and its address in base_url. In a container, localhost is the container.',
      ];
    case 'timeout':
      return [
        'the model did not respond in time',
        'Check the load of the model, or raise first_event_timeout_ms of the agent’s model.',
      ];
    default:
      return ['the platform does not tell pages the reason', 'See the log.'];
  }
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) {
    return 'Check the API key of the model: the variable that api_key_env names, or INLAY_MODEL_API_KEY.';
  }
  if (status === 404) {
    return 'Check base_url of the model, which ends with the version without /chat/completions, and the name of the model.';
  }
  if (status === 429) return 'The account at the vendor has reached its limit: raise the limit.';
  return status >= 500
    ? 'The vendor has a problem: try again later, or use another model.'
    : 'Correct the settings of the agent’s model.';
}
