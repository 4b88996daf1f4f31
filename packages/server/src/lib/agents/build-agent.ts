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
 * Makes an agent of what the file declares and of what was changed at run time. Null where neither
 * knows it. Throws a zod error where the two do not fit.
 */
export function buildAgent(
  id: string,
  declared: AgentConfig | undefined,
  record: AgentRecord,
): Agent | null {
  const { row } = record;
  const isMadeAtRunTime = row !== null && row.created_at !== null;
  if (!declared && !isMadeAtRunTime) return null;

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
    versionTimes: Object.fromEntries(
      record.versions
        .filter(({ version: name }) => !isDeclared(declared, name))
        .map((made) => [made.version, made.created_at]),
    ),
  };
}

/** What a version settles, as the store keeps it. Functions are code, and stay in the file. */
export function toSettings({ instructions, model, tools, modes }: Omit<AgentVersion, 'version'>) {
  return JSON.stringify({ instructions, model, tools, modes });
}

/** A version of run time is the latest until the file names another than the one it followed. */
function latestVersion(declared: AgentConfig | undefined, { row }: AgentRecord): string {
  const isCurrent = row?.version_base === (declared?.version ?? null);
  return (isCurrent ? row?.version : null) ?? declared?.version ?? '1';
}

/** One of the file has a record as well, once another version follows it. */
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
    const kept = JSON.parse(settings);
    versions[version] = { ...kept, tools: withFunctions(kept.tools, functions) };
  }
  delete versions[latest];
  return versions;
}

function functionTools(declared: AgentConfig | undefined): Map<string, ToolConfig> {
  const tools = [
    ...Object.values(declared?.previous_versions ?? {}).flatMap((version) => version.tools ?? []),
    ...(declared?.tools ?? []),
  ];
  return new Map(
    tools.flatMap((tool) => (tool.type === 'function' ? [[tool.name, tool] as const] : [])),
  );
}

/** Gives each function tool its code again. One that the file no longer has cannot be called. */
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
  const decisions = new Map(rows.map((row) => [row.key, row]));
  const ofSettings = declared.map(({ disabled, ends_at, ...key }): AgentKey => {
    const decided = decisions.get(key.key);
    const endsAt = ends_at === null ? null : Date.parse(ends_at);
    return {
      ...key,
      isDeclared: true,
      createdAt: null,
      isDisabled: disabled || (decided?.disabled_at ?? null) !== null,
      endsAt: decided?.ends_at ?? endsAt,
    };
  });
  const known = new Set(declared.map(({ key }) => key));
  const ofRunTime = rows.flatMap((row): AgentKey[] =>
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
  return [...ofSettings, ...ofRunTime];
}
