import type { Selectable } from 'kysely';
import { AgentConfig } from '../config/agent.ts';
import type { PublishableKey } from '../config/embed-policy.ts';
import { PublishableKeySettings } from '../config/embed-policy.ts';
import type { ToolConfig } from '../config/tools.ts';
import { explain } from '../http/validate.ts';
import type { PublishableKeysTable } from '../store/schema.ts';
import type { Agent, AgentKey, AgentVersion } from './agent.ts';
import type { AgentRecord } from './agent-record.ts';
import { mergeOverrides } from './merge-overrides.ts';

/**
 * Builds an agent from the configuration file and the changes made at run time.
 *
 * @returns Null if neither defines the agent.
 * @throws ZodError if the merged settings are invalid.
 */
export function buildAgent(
  id: string,
  declared: AgentConfig | undefined,
  record: AgentRecord,
): Agent | null {
  const { row } = record;
  const isCreatedAtRunTime = row !== null && row.created_at !== null;
  if (!declared && !isCreatedAtRunTime) return null;

  const functions = functionTools(declared);
  const overrides: object = row ? JSON.parse(row.overrides) : {};
  const merged = mergeOverrides(declared ?? {}, overrides);
  const version = latestVersion(declared, record);
  const settings = AgentConfig.parse(
    {
      ...merged,
      ...('tools' in merged && { tools: withFunctions(merged.tools, functions) }),
      version,
      previous_versions: previousVersions(declared, record, version, functions),
    },
    { error: explain },
  );
  return {
    ...settings,
    id,
    declaredVersion: declared?.version ?? null,
    createdAt: row?.created_at ?? null,
    archivedAt: row?.archived_at ?? null,
    keys: allKeys(settings.publishable_keys, record.keys),
    versionTimes: new Map(
      record.versions
        .filter(({ version: name }) => !isDeclared(declared, name))
        .map((created) => [created.version, created.created_at]),
    ),
  };
}

/**
 * Serializes the versioned settings for the store. JSON omits the functions of function tools;
 * `withFunctions` adds them again.
 */
export function serializeVersion({
  instructions,
  model,
  tools,
  modes,
}: Omit<AgentVersion, 'version'>) {
  return JSON.stringify({ instructions, model, tools, modes });
}

/**
 * Returns the name of the latest version. A version created at run time is the latest until the
 * version in the configuration file changes.
 */
function latestVersion(declared: AgentConfig | undefined, { row }: AgentRecord): string {
  const isCurrent = row?.version_base === (declared?.version ?? null);
  return (isCurrent ? row?.version : null) ?? declared?.version ?? '1';
}

/**
 * Whether the configuration file declares a version. The store contains declared versions, too,
 * because they are saved when a newer version replaces them.
 */
function isDeclared(declared: AgentConfig | undefined, version: string): boolean {
  if (!declared) return false;
  return version === declared.version || Object.hasOwn(declared.previous_versions, version);
}

function previousVersions(
  declared: AgentConfig | undefined,
  record: AgentRecord,
  latest: string,
  functions: ReadonlyMap<string, ToolConfig>,
): Record<string, object> {
  const versions: Record<string, object> = {};
  if (declared) {
    const { instructions, model, tools, modes } = declared;
    const settings = { instructions, model, tools, modes };
    for (const [name, previous] of Object.entries(declared.previous_versions)) {
      versions[name] = { ...settings, ...previous };
    }
    versions[declared.version] = settings;
  }
  for (const { version, settings } of record.versions) {
    const stored = JSON.parse(settings);
    versions[version] = { ...stored, tools: withFunctions(stored.tools, functions) };
  }
  delete versions[latest];
  return versions;
}

/** Returns the function tools of the configuration file by name; the latest version wins. */
function functionTools(declared: AgentConfig | undefined): Map<string, ToolConfig> {
  const tools = [
    ...Object.values(declared?.previous_versions ?? {}).flatMap((version) => version.tools ?? []),
    ...(declared?.tools ?? []),
  ];
  return new Map(
    tools.flatMap((tool) => (tool.type === 'function' ? [[tool.name, tool] as const] : [])),
  );
}

/**
 * Adds the functions of the configuration file to stored function tools. A function tool that the
 * file does not declare is dropped.
 */
function withFunctions(tools: unknown, functions: ReadonlyMap<string, ToolConfig>): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.flatMap((tool: ToolConfig) => {
    if (tool.type !== 'function' || typeof tool.run === 'function') return [tool];
    const known = functions.get(tool.name);
    return known ? [{ ...known, ...tool }] : [];
  });
}

function allKeys(
  declared: readonly PublishableKey[],
  rows: readonly Selectable<PublishableKeysTable>[],
): AgentKey[] {
  const rowByKey = new Map(rows.map((row) => [row.key, row]));
  const declaredKeys = declared.map(({ disabled, ends_at, ...key }): AgentKey => {
    const row = rowByKey.get(key.key);
    const endsAt = ends_at === null ? null : Date.parse(ends_at);
    return {
      ...key,
      isDeclared: true,
      createdAt: null,
      isDisabled: disabled || (row?.disabled_at ?? null) !== null,
      endsAt: row?.ends_at ?? endsAt,
    };
  });
  const known = new Set(declared.map(({ key }) => key));
  const createdKeys = rows.flatMap((row): AgentKey[] =>
    row.settings === null || known.has(row.key)
      ? []
      : [
          {
            ...PublishableKeySettings.parse(JSON.parse(row.settings)),
            key: row.key,
            isDeclared: false,
            createdAt: row.created_at,
            isDisabled: row.disabled_at !== null,
            endsAt: row.ends_at,
          },
        ],
  );
  return [...declaredKeys, ...createdKeys];
}
