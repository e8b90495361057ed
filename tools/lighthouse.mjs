// What Lighthouse says of dist/, seen from a desktop over a host that compresses: of each category the median of
// several runs. Fails if one is below the bound, and says what costs points.
//
//   ./run lighthouse            (build dist/ first: ./run build)

import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { executablePath, FLAGS } from "../tests/e2e/helper.mjs";
import { serve } from "./serve.mjs";

const RUNS = 5;
const LEAST = 95;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const percent = (score) => Math.round(score * 100);

/** Audits of a category that weigh something and are not passed, in words. */
function costs(report, category) {
  return category.auditRefs
    .filter(({ weight, id }) => weight > 0 && (report.audits[id].score ?? 1) < 1)
    .map(({ id }) => {
      const { title, score, displayValue = "" } = report.audits[id];
      return `  ${id} ${percent(score)}: ${title} ${displayValue}`;
    });
}

const server = await serve({ gzip: true });
const chrome = await launch({ chromePath: executablePath(), chromeFlags: [...FLAGS, "--headless=new"] });
const reports = [];
try {
  while (reports.length < RUNS) {
    const { lhr } = await lighthouse(server.url, { port: chrome.port, output: "json", logLevel: "error" }, desktopConfig);
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    reports.push(lhr);
    console.log(`run ${reports.length} of ${RUNS}: ${Object.values(lhr.categories).map(({ id, score }) => `${id} ${percent(score)}`).join(", ")}`);
  }
} finally {
  chrome.kill();
  await server.close();
}

const last = reports.at(-1);
for (const category of Object.values(last.categories)) {
  const score = median(reports.map((report) => percent(report.categories[category.id].score)));
  console.log(`\n${category.title}: ${score}, median of ${RUNS}`);
  for (const cost of costs(last, category)) console.log(cost);
  if (score < LEAST) {
    console.log(`  below ${LEAST}`);
    process.exitCode = 1;
  }
}
