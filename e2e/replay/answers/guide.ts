import { codeExample } from './guide-code.ts';
import type { Service } from './guide-service.ts';

/** Composes the long guide: an introduction, a chapter for each service, and a closing list. */
export function composeGuide(services: readonly Service[]): string {
  return [
    introduction(services),
    ...services.map((service, index) => chapter(service, index, services)),
    closing(services),
  ].join('\n\n');
}

function introduction(services: readonly Service[]): string {
  const rows = services.map(
    ({ name, id, port, load }, index) =>
      `| [${name}](#${index + 1}-${slug(name)}) | \`${id}\` | ${port} | ${thousands(load)} |`,
  );
  return `# Running Lantern: a guide for people on call

Lantern is the platform behind ${services.length * 17} public libraries. This guide goes through its **${services.length} services** one by one: what each does, how to see whether it does, what usually goes wrong, and what to do then. Read the chapter of your service before your first week on call, *not* during it.

Each chapter has the same five parts, so you can find your way at night:

1. **What it does**, in two sentences
2. **Figures**: what is normal
3. **Configuration**, with the lines that matter
4. **When it breaks**: the failure that we see most, with its cause
5. **Checklist** for a change

| Service | Id | Port | Requests/s at the busiest hour |
|:--|:--|--:|--:|
${rows.join('\n')}

> If you read only one sentence: **stop the harm first, look for the cause afterwards.** A rollback at 03:00 needs no justification.`;
}

function chapter(service: Service, index: number, services: readonly Service[]): string {
  const number = index + 1;
  const parts = [
    whatItDoes(service, number, services),
    figures(service, number),
    configuration(service, number),
    whenItBreaks(service, number),
    checklist(service, number),
  ];
  return `---\n\n${parts.join('\n\n')}`;
}

function whatItDoes(service: Service, number: number, services: readonly Service[]): string {
  const next = services[number % services.length] ?? service;
  const openings = [
    `The ${lower(service.name)} ${service.job}. It keeps ${service.keeps}.`,
    `What it is there for: the ${lower(service.name)} ${service.job}. What it keeps: ${service.keeps}.`,
    `You will hear it called \`${service.id}\`. It ${service.job}, and it keeps ${service.keeps}.`,
  ];
  return `## ${number}. ${service.name}

${openings[number % openings.length]} It listens on port \`${service.port}\`, speaks HTTP/2 inside the cluster, and is *never* reached from outside except through the gateway.

> **${service.rule}**
> This is the sentence to remember when a change to it looks easy.

Its neighbour in most incidents is the ${lower(next.name)} (\`${next.id}\`): if both are unhappy, begin there, because it ${next.job}.`;
}

function figures(service: Service, number: number): string {
  const tail = service.latency * (6 + (number % 4));
  return `### ${number}.1 Figures

| | Normal | Look at it | Wake somebody |
|:--|--:|--:|--:|
| Requests per second | ${thousands(service.load)} | ${thousands(Math.round(service.load * 1.6))} | ${thousands(service.load * 3)} |
| Median latency | ${service.latency} ms | ${service.latency * 2} ms | ${service.latency * 5} ms |
| 99th percentile | ${tail} ms | ${tail * 2} ms | ${tail * 4} ms |
| Errors | 0.0${(number % 8) + 1} % | 0.5 % | 2 % |
| \`${service.id}_${service.metric}\` | flat | rising for 10 min | rising for 30 min |

The limit that people run into is **${service.limit}: ${service.limitValue}**. It is there on purpose. Raise it only together with the figure in the third column, and write down in the change *why* it is safe, since the next person will ask.`;
}

function configuration(service: Service, number: number): string {
  return `### ${number}.2 Configuration

Most of it is generated. These are the lines that somebody has changed by hand at least once:

\`\`\`toml
[${service.id}]
listen = "0.0.0.0:${service.port}"
timeout_ms = ${service.latency * 20}
max_in_flight = ${Math.max(4, Math.round((service.load * service.latency) / 250))}
drain_seconds = ${10 + (number % 5) * 5}   # longer than the longest request

[${service.id}.alerts]
metric = "${service.id}_${service.metric}"
for = "10m"
page = ${number % 3 === 0 ? 'false  # a ticket is enough' : 'true'}
\`\`\`

${codeExample(service)}`;
}

function whenItBreaks(service: Service, number: number): string {
  return `### ${number}.3 When it breaks

**What you see.** ${sentence(service.symptom)} Nothing was deployed${number % 2 === 0 ? '' : ' in the last hour'}, and the dashboards of \`${service.id}\` show nothing but a slow rise of \`${service.metric}\`.

**What it is.** ${sentence(service.cause)} It has happened ${['twice', 'three times', 'four times'][number % 3]} in two years, each time after a change somewhere else.

**What to do.**

1. Stop the harm:
   - take the affected nodes out with \`lanternctl drain ${service.id} --reason "<ticket>"\`;
   - if more than a third are affected, *don't drain*, roll back:
     1. \`lanternctl history ${service.id}\` shows the last twenty versions;
     2. choose the last one that was green for a day;
     3. \`lanternctl deploy ${service.id}@<version> --now\`.
2. Keep the evidence: a heap snapshot of **one** node, and the log of five minutes.
3. Repair it for good: ${service.fix}.

~~Restart everything and see.~~ We did that for a year. It hides the cause and it makes the ${lower(service.name)} start cold, at the worst moment.`;
}

function checklist(service: Service, number: number): string {
  return `### ${number}.4 Checklist for a change

- [x] The change has a test that fails without it
- [x] Old and new versions of \`${service.id}\` can run side by side for a day
- [ ] \`${service.metric}\` was watched for ten minutes on one node
- [ ] Somebody who has *not* written the change knows how to take it back
- [ ] The limit on ${service.limit} (${service.limitValue}) still holds at ${thousands(service.load * 3)} requests per second

More in the [handbook](https://lantern.example/handbook/${service.id}), in the [incidents of the last year](https://lantern.example/incidents?service=${service.id}&year=2025), and from \`#lantern-${service.id}\`.`;
}

function closing(services: readonly Service[]): string {
  return `---

## The rules, on one page

${services.map((service, index) => `${index + 1}. ${service.rule} *(${service.name})*`).join('\n')}

## Handing over

Whoever comes after you should know in five minutes what you know now. Leave a note with *what is open*, *what you tried*, and *what you would do next*, in this order. Say what is normal for this week, if it is not what the tables say. And if nothing happened, write that: an empty note and a forgotten note look the same.

Print this page. When you are woken up, read it once before you touch anything, and write down what you do, with the time, from the first command on.`;
}

const thousands = (value: number) => value.toLocaleString('en-US');

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const _slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');

const sentence = (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');
