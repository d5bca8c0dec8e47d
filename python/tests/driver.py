"""A run that tests kill: `driver.py dask|ray MANIFEST OUT ROWS`. It tells the process ids of its workers, and writes rows in the end."""

import json
import os
import sys


def with_dask(manifest, out):
    from distributed import Client, LocalCluster

    import carillon.dask

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        tell(client.run(os.getpid).values())
        return carillon.dask.from_manifest(manifest, out, chunk=4).compute()


def with_ray(manifest, out):
    import ray

    import carillon.ray

    # Workers find the package where this process does.
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}},
    )

    class Telling(carillon.ray.Render):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            with open(out + ".workers", "a") as file:
                print(os.getpid(), file=file)

    table = carillon.ray.from_manifest(manifest, blocks=15).map_batches(
        Telling, fn_constructor_kwargs={"out": out}, batch_size=4, compute=ray.data.ActorPoolStrategy(size=2)
    )
    return [json.loads(one["row"]) for one in table.take_all()]


def tell(workers):
    with open(sys.argv[3] + ".workers", "w") as file:
        file.writelines(f"{worker}\n" for worker in workers)


if __name__ == "__main__":
    rows = {"dask": with_dask, "ray": with_ray}[sys.argv[1]](sys.argv[2], sys.argv[3])
    with open(sys.argv[4], "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
