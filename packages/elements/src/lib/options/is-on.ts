/**
 * Whether a boolean option is set; the converter of its attribute. As in HTML, an attribute that is present is
 * true, but the value “false” is false: Vue and Svelte set it for `:no-resume="false"` and
 * `no-resume={false}`.
 */
export const isOn = (value: unknown): boolean => `${value ?? false}` !== 'false';
