// Pictures of the page for people to look at: each scene in every language, colour scheme and size,
// as shots/SCENE-LOOK.png.
//
//   ./run shots [SCENE]

import { LOOKS, lookName, openPage, shot } from "./helper.mjs";

/** What to do with a fresh page before its picture is taken. */
const SCENES = {
  start: async () => {},
};

const wanted = process.argv[2];
if (wanted && !Object.hasOwn(SCENES, wanted)) {
  console.error(`There is no scene ${wanted}; there are: ${Object.keys(SCENES).join(", ")}`);
  process.exit(2);
}
for (const [name, act] of Object.entries(SCENES)) {
  if (wanted && wanted !== name) continue;
  for (const look of LOOKS) {
    const endings = [];
    const { page } = await openPage({ after: (end) => endings.push(end) }, look);
    await act(page, look);
    console.log(await shot(page, `${name}-${lookName(look)}`));
    for (const end of endings.reverse()) await end();
  }
}
