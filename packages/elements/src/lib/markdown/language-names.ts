/** Names of programming languages, followed by their names in code fences. */
const names = `Bash bash
C c h
C# c# cs csharp
C++ c++ cpp hpp
CSS css
Diff diff patch
Dockerfile docker dockerfile
Go go golang
HTML html
INI ini
Java java
JavaScript javascript js mjs
JSON json jsonc
JSX jsx
Kotlin kotlin kt
Markdown markdown md
PHP php
PowerShell powershell ps1
Python py python python3
Ruby rb ruby
Rust rs rust
Shell sh shell zsh
SQL postgresql sql
Swift swift
TOML toml
TSX tsx
TypeScript ts typescript
XML svg xml
YAML yaml yml`
  .split('\n')
  .map((line) => line.split(' '));

/** Returns the name of the language in a code fence, such as “JavaScript” for `js`. */
export function languageName(fence: string): string {
  const lower = fence.toLowerCase();
  return names.find(([, ...fences]) => fences.includes(lower))?.[0] ?? fence;
}
